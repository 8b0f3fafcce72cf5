import { MatrixFilter, reportedTypes, starterFilters } from '#contract/matrix/filter.ts';

/** What of a filter stands in the address, under these names. */
const lists = ['entities', 'roles', 'tags', 'users', 'courses'] as const;
export type FilterList = (typeof lists)[number];
const oneOf = <T extends string>(choices: readonly T[], said: string | null): T => choices.find((c) => c === said) ?? (choices[0] as T);

/** The filter that an address names; what it does not name, or names wrongly, is as the specification begins. */
export const filterIn = (query: URLSearchParams): MatrixFilter => {
  const named = Object.fromEntries(
    lists.map((name) => {
      const ids = (query.get(name) ?? '').split(',').filter(Boolean);
      return [name, MatrixFilter.shape[name].safeParse(ids).success ? ids : []];
    }),
  ) as Pick<MatrixFilter, FilterList>;
  return {
    ...named,
    compliance_type: oneOf(reportedTypes, query.get('compliance_type')),
    new_starters_filter: oneOf(starterFilters, query.get('new_starters_filter')),
  };
};

/** The query of an address with another filter; what it says of other matters stays. */
export const queryWith = (filter: MatrixFilter, address: URLSearchParams): URLSearchParams => {
  const query = new URLSearchParams(address);
  const say = (name: string, value: string, plain: string) => (value === plain ? query.delete(name) : query.set(name, value));
  for (const name of lists) say(name, filter[name].join(','), '');
  say('compliance_type', filter.compliance_type, reportedTypes[0]);
  say('new_starters_filter', filter.new_starters_filter, starterFilters[0]);
  return query;
};

/** How many choices narrow it. */
export const choicesIn = (filter: MatrixFilter): number =>
  lists.filter((name) => filter[name].length > 0).length + (filter.new_starters_filter === starterFilters[0] ? 0 : 1);
/** As it begins. */
export const plainFilter: MatrixFilter = filterIn(new URLSearchParams());

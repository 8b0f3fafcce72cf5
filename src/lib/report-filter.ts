import { MatrixFilter, matrixFields } from '#contract/matrix/filter.ts';
import { courseFields, type FilterList, peopleFields, plainFilter, type ReportField, ReportFilter } from '#contract/reports/filter.ts';

type Plain = Record<string, unknown>;
const plain: Plain = plainFilter;
const names = Object.keys(plainFilter) as ReportField[];

/** The value of a field in an address, parsed by its schema. */
const parsed = (text: string, like: unknown): unknown => {
  if (Array.isArray(like)) return text.split(',').filter(Boolean);
  if (typeof like === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
};
const read = (name: ReportField, text: string): unknown => {
  const { shape } = ReportFilter;
  const value = name === 'grade' || name === 'previousMonths' ? Number(text) : parsed(text, plain[name]);
  const found = shape[name].safeParse(value);
  return found.success ? found.data : plain[name];
};
const written = (value: unknown): string => (value === null ? '' : String(value));

/** The filter in an address; absent and invalid values have the specification's defaults. */
export const filterIn = (query: URLSearchParams): ReportFilter =>
  Object.fromEntries(names.map((name) => [name, query.has(name) ? read(name, query.get(name) ?? '') : plain[name]])) as ReportFilter;

/** The values of a filter for an address, by name; `undefined` for defaults. */
export const saidOf = (filter: ReportFilter): Partial<Record<ReportField, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = written(filter[name]);
      return text === written(plain[name]) ? [] : [[name, text]];
    }),
  );

/** The query of an address with another filter; other parameters are kept. */
export const queryWith = (filter: ReportFilter, address: URLSearchParams): URLSearchParams => {
  const query = new URLSearchParams(address);
  const next = saidOf(filter);
  for (const name of names) {
    const text = next[name];
    if (text === undefined) query.delete(name);
    else query.set(name, text);
  }
  return query;
};

/** The fields that a matrix uses. */
export const matrixFilterOf = (filter: ReportFilter): MatrixFilter =>
  MatrixFilter.parse(Object.fromEntries(matrixFields.map((name) => [name, filter[name]])));

const same = (a: unknown, b: unknown): boolean => written(a) === written(b);

/** The number of active filters among these fields, not counting the kind of requirements and how courses are chosen. */
export const choicesIn = (filter: ReportFilter, fields: readonly ReportField[]): number => {
  const counted = fields.filter((name) => name !== 'compliance_type' && name !== 'filter_by' && !same(filter[name], plain[name]));
  // Two days are one period.
  return counted.length - (counted.includes('from_date') && counted.includes('to_date') ? 1 : 0);
};

/** The defaults, except for the kind of requirements. */
export const cleared = ({ compliance_type }: ReportFilter): ReportFilter => ({ ...plainFilter, compliance_type });

/**
 * A filter with a changed list, by the rules of the specification: choosing organisations clears the tags, and clearing the
 * people clears the job roles. Courses and pathways exclude each other.
 */
export const withChoice = (filter: ReportFilter, list: FilterList, ids: readonly string[]): ReportFilter => {
  const next: ReportFilter = { ...filter, [list]: [...ids] };
  if (list === 'entities' && ids.length > 0) next.tags = [];
  if (list === 'users' && ids.length === 0 && filter.users.length > 0) next.roles = [];
  if (list === 'courses' && ids.length > 0) Object.assign(next, { pathways: [], filter_by: 'courses' });
  if (list === 'pathways') Object.assign(next, ids.length > 0 ? { courses: [], filter_by: 'pathways' } : { filter_by: 'courses' });
  return next;
};

const counted: readonly ReportField[] = [...peopleFields, ...courseFields, 'compliance_type', 'certificates'];
/** The part of a filter that determines people and courses: equal for filters that differ in nothing else. */
export const selectionOf = (filter: ReportFilter): ReportFilter =>
  ({ ...plainFilter, ...Object.fromEntries(counted.map((name) => [name, filter[name]])) }) as ReportFilter;

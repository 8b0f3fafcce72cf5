import type { PageMeta } from '#contract/api/paging.ts';
import { readSort, type Sort } from '#contract/api/sorts.ts';
import { type Statement, sql } from '#server/db/sql.ts';

type Links = { first: string | null; last: string | null; prev: string | null; next: string | null };

/** What stands beside `data` in a paged answer: where this page is, and the links to others. */
export const pagesOf = (path: string, { page, per_page }: { page: number; per_page: number }, total: number): { meta: PageMeta; links: Links } => {
  const last = Math.max(1, Math.ceil(total / per_page));
  const link = (to: number) => (to >= 1 && to <= last ? `${path}?page=${to}&per_page=${per_page}` : null);
  return {
    meta: { current_page: page, last_page: last, per_page, total },
    links: { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) },
  };
};

/** What was searched for as `ilike` takes it; null where nothing was. */
export const patternOf = (search: string | undefined): string | null => {
  const words = search?.trim();
  return words ? `%${words.replace(/[%_\\]/g, '\\$&')}%` : null;
};

/** Whether one of the columns holds what was searched for; true where nothing was. */
export const contains = (columns: readonly Statement[], search: string | undefined): Statement => {
  const pattern = patternOf(search);
  if (pattern === null) return sql`true`;
  return columns.map((c) => sql`${c} ilike ${pattern}`).reduce((a, b) => sql`(${a} or ${b})`);
};

/** The order that was asked for, of those that a list has; what is equal comes by its id, so that no row is on two pages. */
export const orderBy = <K extends string>(sort: Sort<K>, columns: Record<K, Statement>, id: Statement): Statement => {
  const { by, down } = readSort(sort);
  return down ? sql`${columns[by]} desc, ${id} desc` : sql`${columns[by]}, ${id}`;
};

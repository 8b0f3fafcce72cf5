import type { PageMeta } from '#contract/api/paging.ts';
import { readSort, type Sort } from '#contract/api/sorts.ts';
import { type Db, type Row, type Statement, sql, type Value, word } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

/** What was found (a row, the number of rows changed, a flag), or 404. Missing rows and other people's rows answer alike. */
export const existing = <T>(found: T | null | undefined | false): T => {
  if (!found) throw new ProductError('not_found');
  return found;
};

/** Columns and the values written to them. Undefined values are left out. */
type Values = Readonly<Record<string, Value | undefined>>;
const definedValues = (values: Values) => Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined);
const list = (parts: readonly Statement[]): Statement => parts.reduce((a, b) => sql`${a}, ${b}`);

/** Inserts one row. A conflict clause or `returning` can follow it: sql`${insertRow(…)} on conflict do nothing`. */
export const insertRow = (table: string, values: Values): Statement => {
  const all = definedValues(values);
  return sql`insert into ${word(table)} (${list(all.map(([column]) => word(column)))}) values (${list(all.map(([, value]) => sql`${value}`))})`;
};

/** Sets columns of the rows that match `where`. If every value is undefined, nothing is changed and no row is counted. */
export const updateRows = async (on: Db, table: string, values: Values, where: Statement): Promise<number> => {
  const sets = definedValues(values).map(([column, value]) => sql`${word(column)} = ${value}`);
  return sets.length === 0 ? 0 : on.run(sql`update ${word(table)} set ${list(sets)} where ${where}`);
};

/** A reference to another row in an answer, as JSON; null where there is none. `names` is the table or view with its name. */
export const reference = (names: string, id: Statement): Statement =>
  sql`(select json_build_object('id', named.id, 'name', named.name) from ${word(names)} named where named.id = ${id})`;

/** Whether a column is one of these ids. The usual single id is compared directly, so that one plan is cached for it. */
export const among = (column: Statement, ids: readonly string[]): Statement =>
  ids.length === 1 ? sql`${column} = ${ids[0] as string}` : sql`${column} = any(${[...ids]}::uuid[])`;

type Paging = { page: number; per_page: number };
type Links = { first: string | null; last: string | null; prev: string | null; next: string | null };
type Pages = { meta: PageMeta; links: Links };

/** The fields beside `data` in a paged answer: the position of this page and the links to others. */
export const pagesOf = (path: string, { page, per_page }: Paging, total: number): Pages => {
  const last = Math.max(1, Math.ceil(total / per_page));
  const link = (to: number) => (to >= 1 && to <= last ? `${path}?page=${to}&per_page=${per_page}` : null);
  return {
    meta: { current_page: page, last_page: last, per_page, total },
    links: { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) },
  };
};

/** Limit and offset of a page of a list. */
export const pagePart = ({ page, per_page }: Paging): Statement => sql`limit ${per_page} offset ${(page - 1) * per_page}`;

/** How many rows `from` (tables and conditions, without the keyword) has. */
export const countOf = async (on: Db, from: Statement): Promise<number> =>
  (await on.one<{ n: number }>(sql`select count(*)::int as n from ${from}`))?.n ?? 0;

/** The answer to a call for a page of a list. */
export const pageOf = async <T = Row>(
  on: Db,
  path: string,
  paging: Paging,
  { columns, from, where, order }: { columns: Statement; from: Statement; where: Statement; order: Statement },
): Promise<{ data: T[] } & Pages> => {
  const total = await countOf(on, sql`${from} where ${where}`);
  const data = await on.all<T>(sql`select ${columns} from ${from} where ${where} order by ${order} ${pagePart(paging)}`);
  return { data, ...pagesOf(path, paging, total) };
};

/** The search text as an `ilike` pattern; null without one. */
export const patternOf = (search: string | undefined): string | null => {
  const words = search?.trim();
  return words ? `%${words.replace(/[%_\\]/g, '\\$&')}%` : null;
};

/** Whether one of the columns contains the search text; true without one. */
export const contains = (columns: readonly Statement[], search: string | undefined): Statement => {
  const pattern = patternOf(search);
  if (pattern === null) return sql`true`;
  return columns.map((c) => sql`${c} ilike ${pattern}`).reduce((a, b) => sql`(${a} or ${b})`);
};

/** The requested order, out of those that a list supports; ties are broken by id, so that no row is on two pages. */
export const orderBy = <K extends string>(sort: Sort<K>, columns: Record<K, Statement>, id: Statement): Statement => {
  const { by, down } = readSort(sort);
  return down ? sql`${columns[by]} desc, ${id} desc` : sql`${columns[by]}, ${id}`;
};

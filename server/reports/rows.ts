import { readSort } from '#contract/api/sorts.ts';
import type { Report } from '#contract/reports/report.ts';
import type { Cell } from '#contract/rules/csv.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import type { AnySource, ReportAsked } from '#server/reports/report-source.ts';

/** The maximum number of rows in memory, however long a report is. */
export const rowsAtOnce = 200;
/** Up to this many computed rows can be sorted differently from their own order. */
const mostSorted = 50_000;
/** Up to this many computed rows are kept from counting until they are shown. */
const mostHeld = 10_000;
type Row = { id: string };
type Place = { id: string; sort: string };
type Query = ReportAsked<unknown>;
type Page = { page: number; per_page: number };
/** The rows of a requested report. */
export type ReportRows = {
  count(): Promise<number>;
  page(page: Page): Promise<Row[]>;
  /** All of them, a chunk at a time. */
  pieces(): AsyncIterable<readonly Row[]>;
};
type Selected = Extract<AnySource, { select: unknown }>;
type Computed = Extract<AnySource, { rows: unknown }>;

const selected = (source: Selected, query: Query, sort: string): ReportRows => {
  const { by, down } = readSort(sort);
  const { db } = query;
  const all = (): Statement => sql`(${source.select(query, by)}) r`;
  const place = sql`r.id, r.sort::text as sort`;
  const sortOf = ({ sort }: Place): Statement => (source.moments?.includes(by) ? sql`${sort}::timestamptz` : sql`${sort}::text`);
  const order = down ? sql`order by r.sort desc, r.id desc` : sql`order by r.sort, r.id`;
  const inOrder = async (places: readonly Place[]): Promise<Row[]> => {
    if (places.length === 0) return [];
    const read = await source.read(
      query,
      places.map((p) => p.id),
    );
    const rows = new Map(read.map((r) => [r.id, r]));
    return places.flatMap((p) => rows.get(p.id) ?? []);
  };
  const count = async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from ${all()}`))?.n ?? 0;
  return {
    count,
    page: async ({ page, per_page }) => {
      const places = await db.all<Place>(sql`select ${place} from ${all()} ${order} limit ${per_page} offset ${(page - 1) * per_page}`);
      return inOrder(places);
    },
    // Keyset paging: each chunk starts after the last row of the previous one.
    pieces: async function* () {
      for (let after: Place | undefined; ; ) {
        const last = after && sql`(${sortOf(after)}, ${after.id}::uuid)`;
        const rest = last ? (down ? sql`where (r.sort, r.id) < ${last}` : sql`where (r.sort, r.id) > ${last}`) : sql``;
        const places: Place[] = await db.all<Place>(sql`select ${place} from ${all()} ${rest} ${order} limit ${rowsAtOnce}`);
        yield await inOrder(places);
        if (places.length < rowsAtOnce) return;
        after = places.at(-1);
      }
    },
  };
};

const collator = new Intl.Collator('en-GB', { numeric: true });
/** Empty values come last, in both directions. */
const compareCells = (a: Cell, b: Cell, down: boolean): number => {
  if (a === b) return 0;
  if (a === null || a === '') return 1;
  if (b === null || b === '') return -1;
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return down ? -order : order;
};

const computed = (source: Computed, query: Query, sort: string, report: Pick<Report, 'sort' | 'columns'>): ReportRows => {
  /** Rows read while counting, if they are few enough: a page computes them once, not again to be shown. */
  let held: Row[] | null = null;
  const inOwnOrder = async function* (): AsyncGenerator<readonly Row[]> {
    if (held) yield held;
    else yield* source.rows(query);
  };
  const sorted = async function* (): AsyncGenerator<readonly Row[]> {
    const { by, down } = readSort(sort);
    const column = sort === report.sort ? undefined : report.columns.find((c) => c.sort === by);
    if (!column) return yield* inOwnOrder();
    const rows: { row: Row; cell: Cell }[] = [];
    for await (const piece of inOwnOrder()) {
      for (const row of piece) rows.push({ row, cell: column.value(row as never) });
      if (rows.length > mostSorted)
        throw new ProductError('report_too_large', {
          message: `This report has more than ${mostSorted.toLocaleString('en-GB')} rows, too many for another order. Choose fewer, or leave it in its own order.`,
        });
    }
    rows.sort((a, b) => compareCells(a.cell, b.cell, down));
    for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce).map(({ row }) => row);
  };
  return {
    count: async () => {
      let total = 0;
      const read: Row[] = [];
      for await (const piece of inOwnOrder()) {
        total += piece.length;
        if (total <= mostHeld) for (const row of piece) read.push(row);
        else read.length = 0;
      }
      if (total <= mostHeld) held = read;
      return total;
    },
    page: async ({ page, per_page }) => {
      const from = (page - 1) * per_page;
      const rows: Row[] = [];
      let total = 0;
      for await (const piece of sorted()) {
        rows.push(...piece.slice(Math.max(0, from - total), Math.max(0, from + per_page - total)));
        total += piece.length;
        if (total >= from + per_page) break;
      }
      return rows;
    },
    pieces: sorted,
  };
};

/** The rows of a report in an order: `sort` is one of its columns, with a minus for descending; without one, its own order. */
export const rowsOf = (report: Pick<Report, 'sort' | 'columns'>, source: AnySource, query: Query, sort?: string): ReportRows => {
  const order = sort ?? report.sort ?? '';
  return 'rows' in source ? computed(source, query, order, report) : selected(source, query, order);
};

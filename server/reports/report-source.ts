import type { FilterNames } from '#contract/reports/filter.ts';
import type { FilterOf, RowOf } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import type { Db, Statement } from '#server/db/sql.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Actor } from '#server/actor.ts';
import type { ReportTable, TableCell, TableColumn } from '#server/reports/report-table.ts';
import type { Services } from '#server/services.ts';

/** A request for a report: what, by whom, and when. `brand` is that of the organisation they look at. */
export type ReportAsked<F> = { db: Db; actor: Actor; filter: F; search: string | undefined; at: Date; brand: Whitelabel };

/** Rows from the database. */
type SelectedRows<F, Row> = {
  /** One statement: `id` (uuid) and `sort` (text, or a time) of every matching row that the actor may see. The engine sorts, counts and pages it. */
  select(asked: Omit<ReportAsked<F>, 'db'>, by: string): Statement;
  /** The columns whose `sort` is a time. */
  moments?: readonly string[];
  /** The rows with these ids, in any order. */
  read(asked: ReportAsked<F>, ids: readonly string[]): Promise<Row[]>;
};
/** Computed rows, such as those that depend on the compliance rule: all, in chunks, in the report's own order. */
type ComputedRows<F, Row> = { rows(asked: ReportAsked<F>): AsyncIterable<readonly Row[]> };
/** The names of a filter's items. Throws `invalid_input` if the actor may not see one. */
type Named<F> = { names?(db: Db, actor: Actor, filter: F): Promise<FilterNames> };

/** The source of a report's rows: what a feature adds to the report of the contract. */
export type ReportSource<R> = (SelectedRows<FilterOf<R>, RowOf<R>> | ComputedRows<FilterOf<R>, RowOf<R>>) & Named<FilterOf<R>>;

/** A report for one person at one moment. */
export type OpenReport<Row> = Pick<ReportTable, 'sheet' | 'sums'> & {
  total: number;
  /** Its number of cells. */
  cells: number;
  /** The filter, by the names of its items. */
  chosen: string;
  /** What a page shows about all rows, beside their number. */
  meta: object;
  page(asked: { page: number; per_page: number }): Promise<Row[]>;
  /** What a page shows beside its rows, if anything: about the rows on it. */
  pageMeta?(asked: { page: number; per_page: number }): Promise<object>;
  /** The columns of a file beyond those of the contract, and its rows. */
  columns: readonly TableColumn[];
  pieces(brand: Whitelabel): AsyncIterable<readonly (readonly TableCell[])[]>;
};
/** The source of a report whose columns depend on the filter: opened once for each page and each file. */
export type OpenedSource<R> = {
  /** `patient`: nobody waits, so work too slow for a request is done all the same. */
  open(services: Services, actor: Actor, filter: FilterOf<R>, search: string | undefined, patient: boolean): Promise<OpenReport<RowOf<R>>>;
};

/** One source for each report of the contract: a missing one does not compile. */
export type ReportSources = { [R in (typeof reports)[number] as R['id']]: ReportSource<R> | OpenedSource<R> };

/** A source of rows, with its filter and row types erased. */
export type AnySource = (SelectedRows<unknown, { id: string }> | ComputedRows<unknown, { id: string }>) & Named<unknown>;
/** An opened source, with its filter and row types erased. */
export type AnyOpened = {
  open(services: Services, actor: Actor, filter: unknown, search: string | undefined, patient: boolean): Promise<OpenReport<{ id: string }>>;
};

import type { FilterNames } from '#contract/reports/filter.ts';
import type { FilterOf, RowOf } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import type { Db, Statement } from '#server/db/sql.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Actor } from '#server/actor.ts';
import type { ReportTable, TableCell, TableColumn } from '#server/reports/report-table.ts';
import type { Services } from '#server/services.ts';

/** What of a report is asked for, by whom, and when. `brand` is that of the organisation they look at. */
export type ReportAsked<F> = { db: Db; actor: Actor; filter: F; search: string | undefined; at: Date; brand: Whitelabel };

/** Rows that the database has. */
type SelectedRows<F, Row> = {
  /** One statement: `id` and `sort` (text) of every row that was asked for, and that the asker may see. The engine orders, counts and pages it. */
  select(asked: Omit<ReportAsked<F>, 'db'>, by: string): Statement;
  /** The rows of these ids, in any order. */
  read(asked: ReportAsked<F>, ids: readonly string[]): Promise<Row[]>;
};
/** Rows that are computed, as those that hang on the rule of compliance: all, a piece at a time, in the report's own order. */
type ComputedRows<F, Row> = { rows(asked: ReportAsked<F>): AsyncIterable<readonly Row[]> };
/** The names of what a filter chose. Throws `invalid_input` where it names something that the asker may not see. */
type Named<F> = { names?(db: Db, actor: Actor, filter: F): Promise<FilterNames> };

/** Where the rows of a report come from: what a feature adds to the report of the contract. */
export type ReportSource<R> = (SelectedRows<FilterOf<R>, RowOf<R>> | ComputedRows<FilterOf<R>, RowOf<R>>) & Named<FilterOf<R>>;

/** A report as somebody sees it at one moment. */
export type OpenReport<Row> = Pick<ReportTable, 'sheet' | 'sums'> & {
  total: number;
  /** How many cells it has. */
  cells: number;
  /** What was chosen, by its names. */
  chosen: string;
  /** What a page says of all its rows, beside how many there are. */
  meta: object;
  page(asked: { page: number; per_page: number }): Promise<Row[]>;
  /** What a page says beside its rows, where it does: of what is on that page. */
  pageMeta?(asked: { page: number; per_page: number }): Promise<object>;
  /** The columns of a file beside those of the contract, and its rows. */
  columns: readonly TableColumn[];
  pieces(brand: Whitelabel): AsyncIterable<readonly (readonly TableCell[])[]>;
};
/** Where the rows of a report come from whose columns depend on what was chosen: it is opened once for each page and each file. */
export type OpenedSource<R> = {
  /** `patient`: nobody waits for it, so that what takes too long for a request is made all the same. */
  open(services: Services, actor: Actor, filter: FilterOf<R>, search: string | undefined, patient: boolean): Promise<OpenReport<RowOf<R>>>;
};

/** One source for each report of the contract: a missing one does not compile. */
export type ReportSources = { [R in (typeof reports)[number] as R['id']]: ReportSource<R> | OpenedSource<R> };

/** A source of rows, whatever its filter and rows are. */
export type AnySource = (SelectedRows<unknown, { id: string }> | ComputedRows<unknown, { id: string }>) & Named<unknown>;
/** An opened source, whatever its filter and rows are. */
export type AnyOpened = {
  open(services: Services, actor: Actor, filter: unknown, search: string | undefined, patient: boolean): Promise<OpenReport<{ id: string }>>;
};

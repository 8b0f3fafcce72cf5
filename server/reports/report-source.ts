import type { FilterOf, RowOf } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import type { Db, Statement } from '#server/db/sql.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Actor } from '#server/actor.ts';
import type { ReportTable, TableCell, TableColumn } from '#server/reports/report-table.ts';
import type { Services } from '#server/services.ts';

/** Where the rows of a report come from: what a feature adds to the report of the contract. */
export type ReportSource<R> = {
  /** One statement: `id` and `sort` (text) of every row that was asked for, and that the asker may see. The engine orders, counts and pages it. */
  select(actor: Actor, filter: FilterOf<R>, search: string | undefined): Statement;
  /** The rows of these ids, in any order. */
  read(db: Db, actor: Actor, ids: readonly string[]): Promise<RowOf<R>[]>;
};

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
  /** The columns of a file beside those of the contract, and its rows. */
  columns: readonly TableColumn[];
  pieces(brand: Whitelabel): AsyncIterable<readonly (readonly TableCell[])[]>;
};
/** Where the rows of a report come from whose columns depend on what was chosen: it is opened once for each page and each file. */
export type OpenedSource<R> = {
  open(services: Services, actor: Actor, filter: FilterOf<R>, search: string | undefined): Promise<OpenReport<RowOf<R>>>;
};

/** One source for each report of the contract: a missing one does not compile. */
export type ReportSources = { [R in (typeof reports)[number] as R['id']]: ReportSource<R> | OpenedSource<R> };

/** A source of rows, whatever its filter and rows are. */
export type AnySource = {
  select(actor: Actor, filter: unknown, search: string | undefined): Statement;
  read(db: Db, actor: Actor, ids: readonly string[]): Promise<{ id: string }[]>;
};
/** An opened source, whatever its filter and rows are. */
export type AnyOpened = { open(services: Services, actor: Actor, filter: unknown, search: string | undefined): Promise<OpenReport<{ id: string }>> };

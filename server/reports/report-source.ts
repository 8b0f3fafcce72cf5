import type { FilterOf, RowOf } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import type { Db, Statement } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/** Where the rows of a report come from: what a feature adds to the report of the contract. */
export type ReportSource<R> = {
  /** One statement: `id` and `sort` (text) of every row that was asked for, and that the asker may see. The engine orders, counts and pages it. */
  select(actor: Actor, filter: FilterOf<R>, search: string | undefined): Statement;
  /** The rows of these ids, in any order. */
  read(db: Db, actor: Actor, ids: readonly string[]): Promise<RowOf<R>[]>;
};

/** One source for each report of the contract: a missing one does not compile. */
export type ReportSources = { [R in (typeof reports)[number] as R['id']]: ReportSource<R> };

/** A source, whatever its filter and rows are. */
export type AnySource = {
  select(actor: Actor, filter: unknown, search: string | undefined): Statement;
  read(db: Db, actor: Actor, ids: readonly string[]): Promise<{ id: string }[]>;
};

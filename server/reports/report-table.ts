import type { ReportColumn } from '#contract/reports/report.ts';
import type { Cell } from '#contract/rules/csv.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

/** What a writer of files is given: the table a piece at a time, and what every document says of itself. */
export type ReportTable = {
  columns: readonly Pick<ReportColumn<never>, 'head' | 'type' | 'width'>[];
  pieces: AsyncIterable<readonly Cell[][]>;
  title: string;
  /** What was chosen, in words. */
  chosen: string;
  organisation: string;
  madeBy: string;
  at: Date;
  /** Whose days and times it says. */
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
};

/** Writes a table as a file, a piece at a time. */
export type ReportWriter = (table: ReportTable) => AsyncIterable<Uint8Array>;

import type { ReportColumn } from '#contract/reports/report.ts';
import type { Cell } from '#contract/rules/csv.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

/** The organisation's traffic lights. */
export const tones = ['ok', 'warning', 'danger'] as const;
export type Tone = (typeof tones)[number];
/**
 * How somebody stands, as a cell: a word (`brief` where there is little room), what else is to be known of it, the day (YYYY-MM-DD) until which
 * or since when, and a colour, which never stands alone. The same ones are the same object.
 */
export type StandingCell = { word: string; brief: string; note: string | null; tone: Tone | null };
export type TableCell = Cell | { stands: StandingCell; day: string | null };

/** A column of a file; `standing` holds cells that say how somebody stands. */
export type TableColumn = { head: string; type: ReportColumn<never>['type'] | 'standing'; width: number };
/** A further sheet of a workbook. */
export type TableSheet = { name: string; columns: readonly TableColumn[]; rows: readonly (readonly TableCell[])[] };

/** What a writer of files is given: the table a piece at a time, and what every document says of itself. */
export type ReportTable = {
  columns: readonly TableColumn[];
  pieces: AsyncIterable<readonly (readonly TableCell[])[]>;
  /** How many rows all pieces have. */
  total: number;
  /** What the sheet of the table is called. */
  sheet?: string;
  /** Once all pieces were read: what is summed up below the table, and the sheets beside it. */
  sums?: () => { foot: readonly TableCell[]; sheets: readonly TableSheet[] };
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

/** How somebody stands, in words alone, with the day as it is given. */
export const standingWords = ({ word, note }: StandingCell, day: string | null): string =>
  [note ? `${word} (${note})` : word, day].filter(Boolean).join(' ');

import type { ReportColumn } from '#contract/reports/report.ts';
import type { Cell } from '#contract/rules/csv.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

/** The organisation's traffic lights. */
export const tones = ['ok', 'warning', 'danger'] as const;
export type Tone = (typeof tones)[number];
/**
 * A compliance status as a cell: a word (`brief` where there is little room), further details, the day (YYYY-MM-DD) until which or since
 * when, and a colour, which is never the only indication. Equal ones are the same object.
 */
export type StandingCell = { word: string; brief: string; note: string | null; tone: Tone | null };
export type TableCell = Cell | { stands: StandingCell; day: string | null };

/** A column of a file; `standing` contains compliance statuses. */
export type TableColumn = { head: string; type: ReportColumn<never>['type'] | 'standing'; width: number };
/** A further sheet of a workbook. */
export type TableSheet = { name: string; columns: readonly TableColumn[]; rows: readonly (readonly TableCell[])[] };

/** The input of a file writer: the table in chunks, and the metadata of every document. */
export type ReportTable = {
  columns: readonly TableColumn[];
  pieces: AsyncIterable<readonly (readonly TableCell[])[]>;
  /** The number of rows of all chunks. */
  total: number;
  /** The name of the table's sheet. */
  sheet?: string;
  /** After all chunks were read: the summary below the table, and the further sheets. */
  sums?: () => { foot: readonly TableCell[]; sheets: readonly TableSheet[] };
  title: string;
  /** The filter, in words. */
  chosen: string;
  organisation: string;
  madeBy: string;
  at: Date;
  /** The time zone of its days and times. */
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
};

/** Writes a table as a file, a chunk at a time. */
export type ReportWriter = (table: ReportTable) => AsyncIterable<Uint8Array>;

/** A compliance status in words alone, with the day as given. */
export const standingWords = ({ word, note }: StandingCell, day: string | null): string =>
  [note ? `${word} (${note})` : word, day].filter(Boolean).join(' ');

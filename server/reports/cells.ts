import type { ReportColumn } from '#contract/reports/report.ts';
import type { Cell } from '#contract/rules/csv.ts';
import { dayIn } from '#contract/rules/days.ts';
import type { StandingCell, TableCell } from '#server/reports/report-table.ts';

/** The longest text that Excel allows in a cell. */
const mostLetters = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a file that is opened by other programs
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** Text without characters that some programs cannot read. */
export const readable = (text: string): string => {
  const clean = text.toWellFormed().replace(unprintable, '');
  return clean.length > mostLetters ? `${clean.slice(0, mostLetters - 1).toWellFormed()}…` : clean;
};

/** The value of a column in a row: numbers unchanged, days as YYYY-MM-DD in the time zone, text without unprintable characters. */
export const cellsOf = (columns: readonly ReportColumn<never>[], row: unknown, zone: string): Cell[] =>
  columns.map((column) => {
    const value = column.value(row as never);
    if (value === null || typeof value === 'number') return value;
    return column.type === 'day' && value.includes('T') ? dayIn(value, zone) : readable(value);
  });

const stands = new Map<string, StandingCell>();
/** The same cells, with the words that have a colour. */
export const coloured = (columns: readonly ReportColumn<never>[], cells: readonly Cell[]): TableCell[] =>
  cells.map((cell, i) => {
    const tones = columns[i]?.tones;
    if (!tones || typeof cell !== 'string' || !Object.hasOwn(tones, cell)) return cell;
    const tone = tones[cell] ?? null;
    const key = `${tone} ${cell}`;
    const known = stands.get(key) ?? { word: cell, brief: cell, note: null, tone };
    stands.set(key, known);
    return { stands: known, day: null };
  });

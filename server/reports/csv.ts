import type { Cell } from '#contract/reports/report.ts';
import { looksLikeFormula } from '#server/reports/cells.ts';
import type { ReportTable } from '#server/reports/report-table.ts';

const quoted = (cell: Cell) =>
  typeof cell === 'number' ? String(cell) : `"${((cell !== null && looksLikeFormula(cell) ? `'${cell}` : cell) ?? '').replaceAll('"', '""')}"`;
const lineOf = (cells: readonly Cell[]) => `${cells.map(quoted).join(',')}\r\n`;

/** A table as CSV (RFC 4180) in UTF-8, with the mark by which spreadsheets know that it is. Text is never a formula. */
export async function* csvOf({ columns, pieces }: Pick<ReportTable, 'columns' | 'pieces'>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`\uFEFF${lineOf(columns.map((c) => c.head))}`);
  for await (const rows of pieces) yield Buffer.from(rows.map(lineOf).join(''));
}

import { type Cell, csvLines, csvStart } from '#contract/rules/csv.ts';
import { plainAmount } from '#contract/rules/money.ts';
import { type ReportTable, standingWords, type TableCell } from '#server/reports/report-table.ts';

const plain = (cell: TableCell, type: string | undefined): Cell => {
  if (cell !== null && typeof cell === 'object') return standingWords(cell.stands, cell.day);
  return type === 'money' && typeof cell === 'number' ? plainAmount(cell) : cell;
};

/** A table as CSV in UTF-8. */
export async function* csvOf({ columns, pieces }: Pick<ReportTable, 'columns' | 'pieces'>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${csvStart}${csvLines([columns.map((c) => c.head)])}`);
  for await (const rows of pieces) yield Buffer.from(csvLines(rows.map((cells) => cells.map((cell, i) => plain(cell, columns[i]?.type)))));
}

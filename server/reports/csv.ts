import { type Cell, csvLines, csvStart } from '#contract/rules/csv.ts';
import { type ReportTable, standingWords, type TableCell } from '#server/reports/report-table.ts';

const plain = (cell: TableCell): Cell => (cell !== null && typeof cell === 'object' ? standingWords(cell.stands, cell.day) : cell);

/** A table as CSV in UTF-8. */
export async function* csvOf({ columns, pieces }: Pick<ReportTable, 'columns' | 'pieces'>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${csvStart}${csvLines([columns.map((c) => c.head)])}`);
  for await (const rows of pieces) yield Buffer.from(csvLines(rows.map((cells) => cells.map(plain))));
}

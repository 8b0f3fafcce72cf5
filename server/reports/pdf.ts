import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { pdfPages } from '#server/pdf/pages.ts';
import { type ReportTable, standingWords, type TableCell } from '#server/reports/report-table.ts';
import { widePdfOf } from '#server/reports/wide-pdf.ts';

/** The longest text of a cell, so that none fills a page. */
const mostLetters = 300;
const textOf = (cell: TableCell, type: string): string => {
  if (cell === null || cell === '') return '–';
  if (typeof cell === 'object') return standingWords(cell.stands, cell.day);
  if (type === 'percent') return `${cell} %`;
  if (type === 'money') return moneyWords(Number(cell));
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(String(cell))) return dayWords(String(cell));
  const text = String(cell).replace(/\s+/g, ' ');
  return text.length > mostLetters ? `${text.slice(0, mostLetters).toWellFormed()}…` : text;
};

/** A table as a document: landscape A4, column headings and page number on each page; with very many columns on A3. */
export async function* pdfOf(table: ReportTable): AsyncGenerator<Uint8Array> {
  if (table.columns.some((c) => c.type === 'standing')) yield* widePdfOf(table);
  else yield* listPdfOf(table);
}

async function* listPdfOf({ columns, pieces, title, chosen, organisation, madeBy, ...head }: ReportTable): AsyncGenerator<Uint8Array> {
  const all = columns.reduce((sum, c) => sum + c.width, 0);
  const starts = columns.map((_, i) => columns.slice(0, i).reduce((sum, c) => sum + c.width, 0) / all);
  const made = `Made by ${madeBy} on ${dayWords(dayIn(head.at, head.zone))} at ${timeIn(head.at, head.zone)} (${head.zone})`;
  yield await pdfPages(
    { ...head, title, organisation, made, name: organisation, about: `Chosen: ${chosen}`, wide: true },
    columns.map((c, i) => ({ word: c.head, from: starts[i] as number })),
    async ({ row }) => {
      for await (const rows of pieces) for (const cells of rows) row(cells.map((cell, i) => ({ text: textOf(cell, columns[i]?.type ?? 'text') })));
    },
  );
}

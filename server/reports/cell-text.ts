import { dayWords } from '#contract/rules/days.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { standingWords, type TableCell } from '#server/reports/report-table.ts';

/** The longest text of a cell, so that none fills a page. */
const mostLetters = 300;
/** A cell in the words of a document. */
export const cellText = (cell: TableCell, type: string): string => {
  if (cell === null || cell === '') return '–';
  if (typeof cell === 'object') return standingWords(cell.stands, cell.day);
  if (type === 'percent') return `${cell} %`;
  if (type === 'money') return moneyWords(Number(cell));
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(String(cell))) return dayWords(String(cell));
  const text = String(cell).replace(/\s+/g, ' ');
  return text.length > mostLetters ? `${text.slice(0, mostLetters).toWellFormed()}…` : text;
};

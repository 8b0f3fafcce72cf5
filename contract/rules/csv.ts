export type Cell = string | number | null;

/** What a spreadsheet would take for a formula is text. */
export const asText = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
const quoted = (cell: Cell) => (typeof cell === 'number' ? String(cell) : cell === null ? '' : `"${asText(cell).replaceAll('"', '""')}"`);

/** A table as CSV (RFC 4180), with the mark by which spreadsheets know that it is UTF-8. Text is never a formula. */
export const csvText = (lines: readonly (readonly Cell[])[]): string => `\uFEFF${lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')}`;

/** A cell of a table that is handed out as a file; an empty one is null. */
export type Cell = string | number | null;

/** Whether a spreadsheet would take a text for a formula. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);
/** What a spreadsheet would take for a formula, as text. */
export const asText = (cell: string): string => (looksLikeFormula(cell) ? `'${cell}` : cell);
const quoted = (cell: Cell) => (typeof cell === 'number' ? String(cell) : `"${asText(cell ?? '').replaceAll('"', '""')}"`);

/** The mark by which spreadsheets know that a file is UTF-8. */
export const csvStart = '\uFEFF';
/** Rows as CSV (RFC 4180). Text is never a formula. */
export const csvLines = (rows: readonly (readonly Cell[])[]): string => rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

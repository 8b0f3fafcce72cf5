/** A cell of an exported table; null if empty. */
export type Cell = string | number | null;

/** Whether a spreadsheet would interpret a text as a formula. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);
/** The cell, prefixed if a spreadsheet would interpret it as a formula. */
export const asText = (cell: string): string => (looksLikeFormula(cell) ? `'${cell}` : cell);
const quoted = (cell: Cell) => (typeof cell === 'number' ? String(cell) : `"${asText(cell ?? '').replaceAll('"', '""')}"`);

/** The byte order mark, by which spreadsheets recognise UTF-8. */
export const csvStart = '\uFEFF';
/** Rows as CSV (RFC 4180), with formulas made text. */
export const csvLines = (rows: readonly (readonly Cell[])[]): string => rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

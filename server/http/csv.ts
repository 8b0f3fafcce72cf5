/** What a spreadsheet would take for a formula is text. */
const asText = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
const quoted = (cell: string | number) => (typeof cell === 'number' ? String(cell) : `"${asText(cell).replaceAll('"', '""')}"`);

/** A table as CSV (RFC 4180) in UTF-8, with the mark by which spreadsheets know that it is. Text is never a formula. */
export const csvOf = (lines: readonly (readonly (string | number)[])[]): Buffer =>
  Buffer.from(`\uFEFF${lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')}`);

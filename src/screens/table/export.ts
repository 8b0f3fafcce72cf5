import { asText, csvLines, csvStart } from '#contract/rules/csv.ts';
import { dayOf } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import type { Column } from '#src/screens/table/columns.ts';

const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Exports rows as displayed: the visible columns in their order, with their headings. */
export const exportRows = async <R>(kind: 'csv' | 'xlsx', name: string, columns: readonly Column<R>[], rows: readonly R[]): Promise<void> => {
  const exported = columns.filter((c) => !c.actions);
  const lines = [exported.map((c) => c.header), ...rows.map((row) => exported.map((c) => c.value(row)))];
  const file = `${name} ${dayOf(new Date())}.${kind}`;
  if (kind === 'csv') return saveFile(new Blob([csvStart, csvLines(lines)], { type: 'text/csv;charset=utf-8' }), null, file);
  const { writeXlsx } = await import('hucre/xlsx');
  const sheet = { name: name.slice(0, 31), rows: lines.map((line) => line.map((cell) => (typeof cell === 'string' ? asText(cell) : cell))) };
  saveFile(new Blob([(await writeXlsx({ sheets: [sheet] })) as BlobPart], { type: excel }), null, file);
};

import { listPdfOf } from '#server/reports/list-pdf.ts';
import type { ReportTable } from '#server/reports/report-table.ts';
import { widePdfOf } from '#server/reports/wide-pdf.ts';

/** A table as a document: a list on A4 landscape; with very many columns on A3. */
export async function* pdfOf(table: ReportTable): AsyncGenerator<Uint8Array> {
  if (table.columns.some((c) => c.type === 'standing')) yield* widePdfOf(table);
  else yield* listPdfOf(table);
}

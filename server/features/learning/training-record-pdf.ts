import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { dayInPdf, typeface } from '#server/features/learning/certificate-pdf.ts';
import { pdfInk, pdfPages } from '#server/features/learning/pdf-pages.ts';

export type TrainingSummary = {
  name: string;
  role: string | null;
  organisation: string;
  at: Date;
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
  results: readonly { title: string; completed_at: string; expires_at: string | null; score: number | null }[];
};

/** What somebody has completed, as a document to take to another employer: A4, as many pages as it needs. */
export const trainingRecordPdf = ({ role, results, ...r }: TrainingSummary): Promise<Buffer> =>
  pdfPages(
    { ...r, title: 'Training record', about: [role, r.organisation].filter(Boolean).join(', ') },
    [
      { word: 'Course', from: 0 },
      { word: 'Completed', from: 0.52 },
      { word: 'Renew by', from: 0.7 },
      { word: 'Score', from: 0.88 },
    ],
    ({ doc, width, margin, columns: [first = 0, completed = 0, renew = 0, score = 0], room }) => {
      doc.font(typeface.regular).fontSize(11);
      for (const result of results) {
        const height = Math.max(doc.heightOfString(result.title, { width: width * 0.5 }), 14) + 8;
        room(height);
        const { y } = doc;
        doc.fillColor(pdfInk.text).text(result.title, first, y, { width: width * 0.5 });
        const late = result.expires_at !== null && result.expires_at < r.at.toISOString();
        doc.text(dayInPdf(result.completed_at, r.zone), completed, y, { lineBreak: false });
        doc
          .fillColor(late ? pdfInk.late : pdfInk.text)
          .text(result.expires_at ? `${dayInPdf(result.expires_at, r.zone)}${late ? ' (past)' : ''}` : '–', renew, y, { lineBreak: false });
        doc.fillColor(pdfInk.text).text(result.score === null ? '–' : `${result.score} %`, score, y, { lineBreak: false });
        doc.y = y + height;
      }
      if (results.length === 0) doc.fillColor(pdfInk.soft).text('Nothing recorded yet.', margin, doc.y);
    },
  );

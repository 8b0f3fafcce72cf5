import PDFDocument from 'pdfkit';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { dayInPdf, typeface } from '#server/features/learning/certificate-pdf.ts';

export type TrainingSummary = {
  name: string;
  role: string | null;
  organisation: string;
  at: Date;
  brand: Whitelabel;
  logo: Buffer | null;
  results: readonly { title: string; completed_at: string; expires_at: string | null; score: number | null }[];
};

const margin = 48;
const soft = '#4a5568';

/** What somebody has completed, as a document to take to another employer: A4, as many pages as it needs. */
export const trainingRecordPdf = async (r: TrainingSummary): Promise<Buffer> => {
  const doc = new PDFDocument({
    ...{ size: 'A4', margin, tagged: true, lang: 'en-GB', displayTitle: true, bufferPages: true },
    info: { Title: `Training record – ${r.name}`, Author: r.organisation, CreationDate: r.at, ModDate: r.at },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  const width = doc.page.width - 2 * margin;
  const columns = [margin, margin + width * 0.52, margin + width * 0.7, margin + width * 0.88] as const;
  doc.rect(0, 0, doc.page.width, 10).fill(r.brand.colours.primary);
  if (r.logo) doc.image(r.logo, margin, 30, { fit: [180, 40] });
  else doc.font(typeface.bold).fontSize(12).fillColor(soft).text(r.organisation, margin, 40);
  doc.font(typeface.bold).fontSize(22).fillColor('#1a202c').text('Training record', margin, 88);
  doc.fontSize(15).text(r.name, { width });
  doc
    .font(typeface.regular)
    .fontSize(11)
    .fillColor(soft)
    .text([r.role, r.organisation].filter(Boolean).join(', '), { width })
    .text(`As it was on ${dayInPdf(r.at.toISOString())}`);
  doc.moveDown(1);
  const head = () => {
    const { y } = doc;
    doc.font(typeface.bold).fontSize(10).fillColor(soft);
    for (const [i, word] of ['Course', 'Completed', 'Renew by', 'Score'].entries()) doc.text(word, columns[i] as number, y, { lineBreak: false });
    doc
      .moveTo(margin, y + 16)
      .lineTo(margin + width, y + 16)
      .lineWidth(1)
      .strokeColor(r.brand.colours.primary)
      .stroke();
    doc.y = y + 22;
  };
  head();
  for (const result of r.results) {
    doc.font(typeface.regular).fontSize(11);
    const height = Math.max(doc.heightOfString(result.title, { width: width * 0.5 }), 14) + 8;
    if (doc.y + height > doc.page.height - margin - 24) {
      doc.addPage();
      head();
      doc.font(typeface.regular).fontSize(11);
    }
    const { y } = doc;
    doc.fillColor('#1a202c').text(result.title, columns[0], y, { width: width * 0.5 });
    const late = result.expires_at !== null && result.expires_at < r.at.toISOString();
    doc.text(dayInPdf(result.completed_at), columns[1], y, { lineBreak: false });
    doc
      .fillColor(late ? '#a3211a' : '#1a202c')
      .text(result.expires_at ? `${dayInPdf(result.expires_at)}${late ? ' (past)' : ''}` : '–', columns[2], y, { lineBreak: false });
    doc.fillColor('#1a202c').text(result.score === null ? '–' : `${result.score} %`, columns[3], y, { lineBreak: false });
    doc.y = y + height;
  }
  if (r.results.length === 0) doc.font(typeface.regular).fontSize(11).fillColor(soft).text('Nothing recorded yet.', margin, doc.y);
  const pages = doc.bufferedPageRange();
  for (let i = 0; i < pages.count; i++) {
    doc.switchToPage(i);
    // Below the margin no page is added for it.
    doc.page.margins.bottom = 0;
    doc
      .font(typeface.regular)
      .fontSize(9)
      .fillColor(soft)
      .text(`${r.name} · page ${i + 1} of ${pages.count}`, margin, doc.page.height - 34, { width, align: 'center', lineBreak: false });
  }
  doc.end();
  await done;
  return Buffer.concat(parts);
};

import PDFDocument from 'pdfkit';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { dayInPdf, typeface } from '#server/pdf/typeface.ts';

/** A date for a file name. */
export const downloadDay = (at: Date, zone: string) => dayWords(dayIn(at, zone)).replaceAll('/', '-');
export const pdfInk = { text: '#1a202c', soft: '#4a5568', late: '#a3211a' } as const;
const margin = 48;

export type PdfHead = {
  title: string;
  /** The person's name, and details shown below it. */
  name: string;
  about: string;
  organisation: string;
  at: Date;
  /** The time zone of its dates. */
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
  /** Shown instead of the day: the author and time. */
  made?: string;
  /** Landscape pages and smaller text, for tables with many columns. */
  wide?: true;
};
type Column = { word: string /** Its left edge, as a fraction of the width. */; from: number };
type Cell = { text: string; colour?: string };
export type Sheet = {
  doc: PDFKit.PDFDocument;
  width: number;
  margin: number;
  /** Makes room for a row of this height; a new page repeats the column headings. */
  room: (height: number) => void;
  /** A table row: each cell wraps within its column. */
  row: (cells: readonly Cell[]) => void;
};

/** An A4 document with the organisation’s logo and colour, one table of any length, and page numbers. */
export const pdfPages = async (head: PdfHead, columns: readonly Column[], draw: (sheet: Sheet) => void | Promise<void>): Promise<Buffer> => {
  const { title, name, about, organisation, at, zone, brand, logo, made, wide } = head;
  const size = wide ? 8 : 11;
  const doc = new PDFDocument({
    ...{ size: 'A4', layout: wide ? 'landscape' : 'portrait', margin, tagged: true, lang: 'en-GB', displayTitle: true, bufferPages: true },
    info: { Title: `${title} – ${name}`, Author: organisation, CreationDate: at, ModDate: at },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  const width = doc.page.width - 2 * margin;
  const edges = columns.map((c) => margin + width * c.from);
  doc.rect(0, 0, doc.page.width, 10).fill(brand.colours.primary);
  if (logo) doc.image(logo, margin, 30, { fit: [180, 40] });
  else doc.font(typeface.bold).fontSize(12).fillColor(pdfInk.soft).text(organisation, margin, 40);
  doc.font(typeface.bold).fontSize(22).fillColor(pdfInk.text).text(title, margin, 88);
  doc.fontSize(15).text(name, { width });
  doc
    .font(typeface.regular)
    .fontSize(11)
    .fillColor(pdfInk.soft)
    .text(about, { width })
    .text(made ?? `As of ${dayInPdf(at.toISOString(), zone)}`);
  doc.moveDown(1);
  const heads = () => {
    const { y } = doc;
    doc
      .font(typeface.bold)
      .fontSize(size - 1)
      .fillColor(pdfInk.soft);
    for (const [i, { word }] of columns.entries()) doc.text(word, edges[i] as number, y, { lineBreak: false });
    doc
      .moveTo(margin, y + 16)
      .lineTo(margin + width, y + 16)
      .lineWidth(1)
      .strokeColor(brand.colours.primary)
      .stroke();
    doc.y = y + 22;
    doc.font(typeface.regular).fontSize(size);
  };
  heads();
  const room = (height: number) => {
    if (doc.y + height <= doc.page.height - margin - 24) return;
    doc.addPage();
    heads();
  };
  const gap = wide ? 5 : 8;
  const row = (cells: readonly Cell[]) => {
    doc.font(typeface.regular).fontSize(size);
    const widthOf = (i: number) => (edges[i + 1] ?? margin + width + gap) - (edges[i] as number) - gap;
    const height = Math.max(14, ...cells.map(({ text }, i) => doc.heightOfString(text, { width: widthOf(i) }))) + gap;
    room(height);
    const { y } = doc;
    for (const [i, { text, colour }] of cells.entries())
      doc.fillColor(colour ?? pdfInk.text).text(text, edges[i] as number, y, { width: widthOf(i) });
    doc.y = y + height;
  };
  await draw({ doc, width, margin, room, row });
  const pages = doc.bufferedPageRange();
  for (let i = 0; i < pages.count; i++) {
    doc.switchToPage(i);
    // Text below the margin would otherwise add a page.
    doc.page.margins.bottom = 0;
    doc
      .font(typeface.regular)
      .fontSize(9)
      .fillColor(pdfInk.soft)
      .text(`${name} · page ${i + 1} of ${pages.count}`, margin, doc.page.height - 34, { width, align: 'center', lineBreak: false });
  }
  doc.end();
  await done;
  return Buffer.concat(parts);
};

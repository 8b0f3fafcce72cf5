import PDFDocument from 'pdfkit';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { printable } from '#server/pdf/letters.ts';
import { dayInPdf, typeface } from '#server/pdf/typeface.ts';

const described = (title: string, author: string, at: Date): PDFKit.PDFDocumentOptions => ({
  ...{ pdfVersion: '1.7', lang: 'en-GB', displayTitle: true },
  info: { Title: title, Author: author, CreationDate: at, ModDate: at },
});
/** The settings of a document that conforms to PDF/UA. Everything drawn must be tagged or marked as an artefact. */
export const accessible = (...options: Parameters<typeof described>): PDFKit.PDFDocumentOptions => ({
  ...described(...options),
  // The library's types do not know this subset yet.
  ...{ tagged: true, subset: 'PDF/UA' as PDFKit.PDFDocumentOptions['subset'] },
});
/** Collects a document: call it after drawing; returns the bytes. */
export const wholeOf = (doc: PDFKit.PDFDocument) => {
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  return async (): Promise<Buffer> => {
    doc.end();
    await done;
    return Buffer.concat(parts);
  };
};

/** A date for a file name. */
export const downloadDay = (at: Date, zone: string) => dayWords(dayIn(at, zone)).replaceAll('/', '-');
export const pdfInk = { text: '#1a202c', soft: '#4a5568', late: '#a3211a' } as const;
const margin = 48;
const heightToFill = 26;

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
type Style = { bold?: true; size?: number; colour?: string };
type Cell = { text: string; colour?: string };
export type Sheet = {
  /** A table row: each cell wraps within its column; the first is its heading. `toFill`: high enough to write in by hand, with a line below. */
  row: (cells: readonly Cell[], toFill?: boolean) => void;
  /** A paragraph below the table. */
  paragraph: (text: string, style?: Style) => void;
  /** Begins another table with its own columns, below its heading. */
  section: (heading: string, columns: readonly Column[]) => void;
};

/**
 * An A4 document with the organisation’s logo and colour, one table of any length, and page numbers. It conforms to PDF/UA: a heading,
 * paragraphs and a table with headings, while what repeats on each page is an artefact. A wide one does not: it may have thousands of rows,
 * whose tags would take twelve times the bytes and three times as long.
 */
export const pdfPages = async (head: PdfHead, columns: readonly Column[], draw: (sheet: Sheet) => void | Promise<void>): Promise<Buffer> => {
  const { title, organisation, at, zone, brand, logo, made, wide } = head;
  const [name, about] = [printable(head.name), printable(head.about)];
  const size = wide ? 8 : 11;
  const doc = new PDFDocument({
    ...{ size: 'A4', layout: wide ? 'landscape' : 'portrait', margin, bufferPages: true },
    ...(wide ? described : accessible)(`${title} – ${head.name}`, organisation, at),
  });
  const whole = wholeOf(doc);
  const width = doc.page.width - 2 * margin;
  const edgesOf = (someColumns: readonly Column[]) => someColumns.map((c) => margin + width * c.from);
  let current = columns;
  let edges = edgesOf(columns);
  type Element = PDFKit.PDFStructureElement | null;
  /** A new structure element, in a tagged document. */
  const element = (within: Element, type: string): Element => {
    if (!within) return null;
    const made = doc.struct(type);
    within.add(made);
    return made;
  };
  const body = wide ? null : doc.struct('Document');
  if (body) doc.addStructure(body);
  /** Draws a tagged part of the document. */
  const part = (within: Element, type: string, options: object, draw: () => void) => {
    if (!within) return draw();
    const made = doc.struct(type, options, draw);
    within.add(made);
    made.end();
  };
  /** Draws an artefact, which screen readers ignore. */
  const passedOver = (draw: () => void) => {
    if (wide) return draw();
    doc.markContent('Artifact', { type: 'Pagination' } as never);
    draw();
    doc.endMarkedContent();
  };
  const paragraph = (text: string, { bold, size: letters = 11, colour = pdfInk.soft }: Style = {}, type = 'P') =>
    part(body, type, {}, () =>
      doc
        .font(typeface[bold ? 'bold' : 'regular'])
        .fontSize(letters)
        .fillColor(colour)
        .text(printable(text), margin, doc.y, { width }),
    );
  passedOver(() => doc.rect(0, 0, doc.page.width, 10).fill(brand.colours.primary));
  doc.y = 40;
  if (logo) {
    const box = { bbox: [margin, 30, margin + 180, 70], placement: 'Block' };
    part(body, 'Figure', { alt: `${organisation}, logo`, ...box }, () => doc.image(logo, margin, 30, { fit: [180, 40] }));
  } else paragraph(organisation, { bold: true, size: 12 });
  doc.y = 88;
  paragraph(title, { bold: true, size: 22, colour: pdfInk.text }, 'H1');
  paragraph(name, { bold: true, size: 15, colour: pdfInk.text });
  paragraph(about);
  paragraph(made ?? `As of ${dayInPdf(at.toISOString(), zone)}`);
  doc.moveDown(1);
  const gap = wide ? 5 : 8;
  const widthOf = (i: number) => (edges[i + 1] ?? margin + width + gap) - (edges[i] as number) - gap;
  const drawHeads = (cell: (draw: () => void) => void) => {
    const { y } = doc;
    doc.font(typeface.bold).fontSize(size - 1);
    // A head that is wider than its column takes further lines.
    const further = Math.max(0, ...current.map(({ word }, i) => doc.heightOfString(word, { width: widthOf(i) }))) - doc.currentLineHeight();
    const line = y + 16 + Math.max(0, further);
    for (const [i, { word }] of current.entries())
      cell(() =>
        doc
          .font(typeface.bold)
          .fontSize(size - 1)
          .fillColor(pdfInk.soft)
          .text(word, edges[i] as number, y, { width: widthOf(i) }),
      );
    passedOver(() =>
      doc
        .moveTo(margin, line)
        .lineTo(margin + width, line)
        .lineWidth(1)
        .stroke(brand.colours.primary),
    );
    doc.y = line + 6;
  };
  let rows: Element | undefined;
  /** The rows of the table, including its first. */
  const rowsOf = () => {
    if (rows !== undefined) return rows;
    const table = element(body, 'Table');
    const headings = element(table, 'THead');
    const heads = element(headings, 'TR');
    drawHeads((draw) => part(heads, 'TH', { scope: 'Column' }, draw));
    headings?.end();
    rows = element(table, 'TBody');
    return rows;
  };
  const room = (height: number) => {
    if (doc.y + height <= doc.page.height - margin - 24) return;
    doc.addPage();
    drawHeads(passedOver);
  };
  const row = (cells: readonly Cell[], toFill = false) => {
    const within = rowsOf();
    doc.font(typeface.regular).fontSize(size);
    const texts = cells.map((cell) => printable(cell.text));
    const height = Math.max(toFill ? heightToFill : 14, ...texts.map((text, i) => doc.heightOfString(text, { width: widthOf(i) }))) + gap;
    room(height);
    const { y } = doc;
    const line = element(within, 'TR');
    for (const [i, text] of texts.entries())
      part(line, i === 0 ? 'TH' : 'TD', i === 0 ? { scope: 'Row' } : {}, () =>
        doc
          .font(typeface.regular)
          .fontSize(size)
          .fillColor(cells[i]?.colour ?? pdfInk.text)
          .text(text, edges[i] as number, y, { width: widthOf(i) }),
      );
    line?.end();
    if (toFill)
      passedOver(() =>
        doc
          .moveTo(margin, y + height - gap / 2)
          .lineTo(margin + width, y + height - gap / 2)
          .lineWidth(0.5)
          .stroke(pdfInk.soft),
      );
    doc.y = y + height;
  };
  await draw({
    row,
    section: (heading, of) => {
      if (doc.y + 110 > doc.page.height - margin - 24) doc.addPage();
      else doc.y += rows === undefined ? 0 : 18;
      paragraph(heading, { bold: true, size: wide ? 12 : 15, colour: pdfInk.text }, 'H2');
      doc.y += 6;
      [current, edges, rows] = [of, edgesOf(of), undefined];
    },
    paragraph: (text, style) => {
      if (doc.y + 40 > doc.page.height - margin - 24) doc.addPage();
      paragraph(text, style);
    },
  });
  body?.end();
  const pages = doc.bufferedPageRange();
  for (let i = 0; i < pages.count; i++) {
    doc.switchToPage(i);
    // Text below the margin would otherwise add a page.
    doc.page.margins.bottom = 0;
    passedOver(() =>
      doc
        .font(typeface.regular)
        .fontSize(9)
        .fillColor(pdfInk.soft)
        .text(`${name} · page ${i + 1} of ${pages.count}`, margin, doc.page.height - 34, { width, align: 'center', lineBreak: false }),
    );
  }
  return whole();
};

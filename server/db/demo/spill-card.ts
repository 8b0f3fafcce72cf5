import PDFDocument from 'pdfkit';

/** A small page with a heading and steps. The same bytes every time, so that its hash never changes. */
export const stepsPage = async (title: string, heading: string, steps: string[]): Promise<Buffer> => {
  const doc = new PDFDocument({
    size: 'A6',
    margin: 24,
    tagged: true,
    lang: 'en-GB',
    info: { Title: title, CreationDate: new Date(0), ModDate: new Date(0) },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise((resolve) => doc.on('end', resolve));
  doc.font('Helvetica-Bold').fontSize(18).text(heading).moveDown(0.5).font('Helvetica').fontSize(11);
  doc.list(steps, { listType: 'numbered', bulletRadius: 2 });
  doc.end();
  await done;
  return Buffer.concat(parts);
};

/** The pocket card of the infection control course. */
export const spillCard = (): Promise<Buffer> =>
  stepsPage('Spill card', 'Cleaning up a spill', [
    'Keep people away. Apron and gloves on.',
    'Soak up with paper towels. Orange bag.',
    'Clean with detergent and water first.',
    'Disinfect as the label says, for as long as it says.',
    'Equipment off, wash hands, write it down.',
  ]);

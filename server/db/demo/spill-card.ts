import PDFDocument from 'pdfkit';

/** The pocket card of the infection control course. The same bytes every time, so that its hash never changes. */
export const spillCard = async (): Promise<Buffer> => {
  const doc = new PDFDocument({
    size: 'A6',
    margin: 24,
    tagged: true,
    lang: 'en-GB',
    info: { Title: 'Spill card', CreationDate: new Date(0), ModDate: new Date(0) },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise((resolve) => doc.on('end', resolve));
  doc.font('Helvetica-Bold').fontSize(18).text('Cleaning up a spill').moveDown(0.5).font('Helvetica').fontSize(11);
  doc.list(
    [
      'Keep people away. Apron and gloves on.',
      'Soak up with paper towels. Orange bag.',
      'Clean with detergent and water first.',
      'Disinfect as the label says, for as long as it says.',
      'Equipment off, wash hands, write it down.',
    ],
    { listType: 'numbered', bulletRadius: 2 },
  );
  doc.end();
  await done;
  return Buffer.concat(parts);
};

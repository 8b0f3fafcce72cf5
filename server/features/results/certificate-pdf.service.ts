import PDFDocument from 'pdfkit';
import type { CertificateBranding, Whitelabel } from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import type { Config } from '#server/config.ts';
import { dayInPdf, typeface } from '#server/pdf/typeface.ts';

export type Certificate = {
  name: string;
  course: string;
  organisation: string;
  completedAt: string;
  expiresAt: string | null;
  /** The time zone of its dates. */
  zone: string;
  score: number | null;
  number: string;
  /** The address of the page that verifies the number. */
  verifyAt: string;
  brand: Whitelabel;
  wording: CertificateBranding;
  /** Optional PNG pictures. */
  logo: Buffer | null;
  signature: Buffer | null;
};

/** Where anybody can verify a certificate. */
export const verifyAddress = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string => `${PUBLIC_URL}${pathTo('verify-certificate')}`;

/** Draws a certificate on one landscape A4 page in the organisation's colours. Long names are set smaller, never truncated. */
export const certificatePdf = async (c: Certificate): Promise<Buffer> => {
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: `${c.course} – ${c.name}`, Author: c.organisation, CreationDate: new Date(c.completedAt), ModDate: new Date(c.completedAt) },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => {
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  const { width, height } = doc.page;
  const centre = (text: string, y: number, size: number, font = typeface.regular, colour = '#1a202c') => {
    doc.font(font);
    let fitted = size;
    while (fitted > 9 && doc.fontSize(fitted).widthOfString(text) > width - 140) fitted -= 1;
    doc
      .fontSize(fitted)
      .fillColor(colour)
      .text(text, 70, y, { width: width - 140, align: 'center' });
  };
  doc.rect(0, 0, width, height).fill('#ffffff');
  doc.rect(0, 0, width, 14).fill(c.brand.colours.primary);
  doc.rect(0, height - 14, width, 14).fill(c.brand.colours.primary);
  doc
    .lineWidth(1)
    .strokeColor('#cbd5e0')
    .rect(28, 36, width - 56, height - 72)
    .stroke();
  const { wording } = c;
  const picture = (bytes: Buffer, y: number, most: { width: number; height: number }) =>
    doc.image(bytes, (width - most.width) / 2, y, { fit: [most.width, most.height], align: 'center', valign: 'center' });
  if (wording.showLogo && c.logo) picture(c.logo, 50, { width: 200, height: 44 });
  else centre(c.organisation, 66, 16, typeface.bold, '#4a5568');
  centre(wording.heading, 112, 34, typeface.bold);
  centre('This is to certify that', 186, 13, typeface.regular, '#4a5568');
  centre(c.name, 212, 30, typeface.bold);
  centre('has completed', 266, 13, typeface.regular, '#4a5568');
  centre(c.course, 292, 24, typeface.bold);
  const facts = [
    `Completed on ${dayInPdf(c.completedAt, c.zone)}`,
    ...(c.score === null || !wording.showScore ? [] : [`Score ${c.score} %`]),
    ...(wording.showExpiry ? [c.expiresAt ? `Renew by ${dayInPdf(c.expiresAt, c.zone)}` : 'Does not expire'] : []),
  ];
  if (wording.statement) centre(wording.statement, 330, 12, typeface.regular, '#4a5568');
  centre(facts.join('    ·    '), 360, 14);
  doc
    .moveTo(width / 2 - 60, 408)
    .lineTo(width / 2 + 60, 408)
    .lineWidth(2)
    .strokeColor(c.brand.colours.accent)
    .stroke();
  if (c.signature) picture(c.signature, 414, { width: 160, height: 44 });
  const signatory = [wording.signatoryName, wording.signatoryRole].filter(Boolean).join(', ');
  if (signatory) centre(signatory, 462, 12);
  const issued = wording.showLogo && c.logo ? `${c.organisation}    ·    ` : '';
  centre(`${issued}Certificate number ${c.number}`, 494, 10, typeface.regular, '#4a5568');
  centre(`Check that it is valid at ${c.verifyAt}`, 510, 10, typeface.regular, '#4a5568');
  doc.end();
  await done;
  return Buffer.concat(parts);
};

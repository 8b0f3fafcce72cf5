import type { CertificateBranding, Whitelabel } from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import type { Config } from '#server/config.ts';
import { fitted, type Fitted } from '#server/pdf/fitted.ts';
import { createLetters, type Face, type Letters } from '#server/pdf/letters.ts';
import { artifact, draw, pageTemplates, type Part, part } from '#server/pdf/page-template.ts';
import { type Pixels, pngPixels } from '#server/pdf/png.ts';
import { slices } from '#server/pdf/slices.ts';
import { dayInPdf } from '#server/pdf/typeface.ts';

/** The common part of an organisation's certificates. */
export type CertificateLook = {
  organisation: string;
  /** The time zone of their dates. */
  zone: string;
  /** The address of the page that verifies their numbers. */
  verifyAt: string;
  brand: Whitelabel;
  wording: CertificateBranding;
  /** Optional PNG pictures. */
  logo: Buffer | null;
  signature: Buffer | null;
};
export type Certificate = {
  look: CertificateLook;
  name: string;
  course: string;
  completedAt: string;
  expiresAt: string | null;
  score: number | null;
  number: string;
};

/** The page on which anybody can verify a certificate. */
export const verifyAddress = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string => `${PUBLIC_URL}${pathTo('verify-certificate')}`;

/** Landscape A4, in points. */
const page = { width: 841.89, height: 595.28 };
const room = page.width - 140;
const ink = { text: '#1a202c', soft: '#4a5568', line: '#cbd5e0' } as const;
/** The baseline of a line below its upper edge, as a share of the font size. */
const ascent = 0.928;

type Text = { text: string; top: number; height: number; size: number; face?: Face; colour?: string };

/** A picture centred in a box, as large as fits. */
const placed = ({ width, height }: Pixels, top: number, most: { width: number; height: number }) => {
  const scale = Math.min(most.width / width, most.height / height);
  const [w, h] = [width * scale, height * scale];
  return { x: (page.width - w) / 2, y: page.height - top - (most.height + h) / 2, width: w, height: h };
};

/** Prepares certificates with one design: the common part is drawn once, and each adds its own text. */
const drawerOf = (letters: Letters, templates: ReturnType<typeof pageTemplates>, look: CertificateLook) => {
  const { organisation, wording, brand, zone } = look;
  const [logo, signature] = [wording.showLogo && look.logo ? pngPixels(look.logo) : null, look.signature && pngPixels(look.signature)];
  const parts: Part[] = [];
  const drawText = (lines: Fitted, { top, height, colour = ink.text }: Pick<Text, 'top' | 'height' | 'colour'>) => {
    const first = top + (lines.lines.length > 1 ? 0 : (height - lines.size * 1.2) / 2) + ascent * lines.size;
    return lines.lines
      .map((line, i) => {
        const width = (line.width * lines.size) / 1000;
        return draw.text(line, lines.size, (page.width - width) / 2, page.height - first - i * lines.size * 1.2, colour);
      })
      .join('');
  };
  const paragraph = (at: number, { text, face = 'regular', ...where }: Text) => {
    const lines = fitted(letters, text, face, { size: where.size, width: room, height: where.height });
    return part(parts, at, drawText(lines, where), lines.says);
  };
  const add = (p: Part) => parts.push(p) - 1;
  const constant = (text: Text, type: 'H1' | 'P' = 'P') => paragraph(add({ type }), text);
  const picture = (name: string, pixels: Pixels, alt: string, top: number, most: { width: number; height: number }) => {
    const { x, y, width, height } = placed(pixels, top, most);
    return part(parts, add({ type: 'Figure', alt, box: [x, y, x + width, y + height] }), draw.picture(name, x, y, width, height));
  };
  const { width, height } = page;
  const begin = [
    artifact(
      draw.box(0, 0, width, height, '#ffffff') +
        draw.box(0, height - 14, width, 14, brand.colours.primary) +
        draw.box(0, 0, width, 14, brand.colours.primary) +
        draw.frame(28, 36, width - 56, height - 72, ink.line, 1) +
        draw.line(width / 2 - 60, height - 408, 120, brand.colours.accent, 2),
    ),
    logo
      ? picture('logo', logo, `${organisation}, logo`, 50, { width: 200, height: 44 })
      : constant({ text: organisation, top: 60, height: 30, size: 16, face: 'bold', colour: ink.soft }),
    constant({ text: wording.heading, top: 108, height: 48, size: 34, face: 'bold' }, 'H1'),
    constant({ text: 'This is to certify that', top: 184, height: 18, size: 13, colour: ink.soft }),
  ].join('');
  // The parts of each certificate in reading order; the common ones between them are drawn once as well.
  const name = add({ type: 'P' });
  const completed = constant({ text: 'has completed', top: 264, height: 18, size: 13, colour: ink.soft });
  const course = add({ type: 'P' });
  const statement = wording.statement ? constant({ text: wording.statement, top: 328, height: 26, size: 12, colour: ink.soft }) : '';
  const facts = add({ type: 'P' });
  const signatory = [wording.signatoryName, wording.signatoryRole].filter(Boolean).join(', ');
  const signed = [
    signature ? picture('signature', signature, signatory ? `Signature of ${signatory}` : 'Signature', 414, { width: 160, height: 44 }) : '',
    signatory ? constant({ text: signatory, top: 460, height: 20, size: 12 }) : '',
  ].join('');
  const number = add({ type: 'P' });
  const verify = constant({ text: `Check that it is valid at ${look.verifyAt}`, top: 508, height: 16, size: 10, colour: ink.soft });
  const write = templates({
    ...page,
    ...{ lang: 'en-GB', author: organisation, parts, constant: begin },
    pictures: { ...(logo ? { logo } : {}), ...(signature ? { signature } : {}) },
  });
  const issued = logo ? `${organisation}    ·    ` : '';
  return (c: Certificate) => {
    const lines = [
      `Completed on ${dayInPdf(c.completedAt, zone)}`,
      ...(c.score === null || !wording.showScore ? [] : [`Score ${c.score} %`]),
      ...(wording.showExpiry ? [c.expiresAt ? `Renew by ${dayInPdf(c.expiresAt, zone)}` : 'Does not expire'] : []),
    ];
    const content = [
      paragraph(name, { text: c.name, top: 208, height: 48, size: 30, face: 'bold' }),
      completed,
      paragraph(course, { text: c.course, top: 288, height: 38, size: 24, face: 'bold' }),
      statement,
      paragraph(facts, { text: lines.join('    ·    '), top: 358, height: 24, size: 14 }),
      signed,
      paragraph(number, { text: `${issued}Certificate number ${c.number}`, top: 492, height: 16, size: 10, colour: ink.soft }),
      verify,
    ].join('');
    return () => write({ title: `${c.course} – ${c.name}`, at: c.completedAt, content });
  };
};

/**
 * Certificates, each a document of its own on one landscape A4 page in its organisation's colours, in the given order: each as two chunks
 * of bytes, the first shared with others. All of them embed one font with the glyphs they need. Long texts are set smaller, then on more
 * lines, never cut. Memory grows with their number: pass a few hundred at most.
 */
export async function* certificatePdfs(certificates: readonly Certificate[]): AsyncGenerator<[common: Buffer, own: Buffer]> {
  const letters = createLetters();
  const templates = pageTemplates(letters);
  const drawers = new Map<CertificateLook, ReturnType<typeof drawerOf>>();
  const turn = slices();
  const drawn: (() => [Buffer, Buffer])[] = [];
  for (const certificate of certificates) {
    const { look } = certificate;
    const drawer = drawers.get(look) ?? drawerOf(letters, templates, look);
    drawers.set(look, drawer);
    drawn.push(drawer(certificate));
    await turn();
  }
  await letters.close();
  for (const write of drawn) {
    yield write();
    await turn();
  }
}

/** One certificate. */
export const certificatePdf = async (certificate: Certificate): Promise<Buffer> => {
  for await (const pieces of certificatePdfs([certificate])) return Buffer.concat(pieces);
  throw new Error('a certificate was not drawn');
};

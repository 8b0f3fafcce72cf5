import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import type { CertificateLook } from '#server/features/results/certificate-pdf.service.ts';
import { printable } from '#server/pdf/letters.ts';
import { accessible, pdfInk, wholeOf } from '#server/pdf/pages.ts';
import { slices } from '#server/pdf/slices.ts';
import { dayInPdf, typeface } from '#server/pdf/typeface.ts';

export type WalletCard = {
  look: CertificateLook;
  name: string;
  /** Results in date, in the order shown. */
  certificates: readonly { course: string; expiresAt: string | null; number: string }[];
};

const mm = 72 / 25.4;
/** A credit card, and A4. */
const card = { width: 85.6 * mm, height: 54 * mm };
const paper = { width: 210 * mm, height: 297 * mm };
const [across, down] = [2, 5];
const gap = 4 * mm;
const perCard = 7;
const textWidth = 166;
const codeSide = 54;

/** A4 sheets with ten cards each, to be cut out; or one card a page. What does not fit on a card continues on another. */
export const walletCardsPdf = async (cards: readonly WalletCard[], { sheet, at }: { sheet: boolean; at: Date }): Promise<Buffer> => {
  const title = cards.length === 1 ? `Training card – ${cards[0]?.name}` : 'Training cards';
  const page = sheet ? paper : card;
  const doc = new PDFDocument({
    ...{ size: [page.width, page.height], margin: 0, autoFirstPage: false },
    ...accessible(title, cards[0]?.look.organisation ?? '', at),
  });
  const whole = wholeOf(doc);
  const body = doc.struct('Document');
  doc.addStructure(body);
  const turn = slices();
  const passedOver = (draw: () => void) => {
    doc.markContent('Artifact');
    draw();
    doc.endMarkedContent();
  };
  let count = 0;
  /** The position of the next card. */
  const place = () => {
    const no = count++ % (sheet ? across * down : 1);
    if (no === 0) doc.addPage();
    if (!sheet) return { x: 0, y: 0 };
    const left = (paper.width - across * card.width - (across - 1) * gap) / 2;
    const top = (paper.height - down * card.height - (down - 1) * gap) / 2;
    return { x: left + (no % across) * (card.width + gap), y: top + Math.floor(no / across) * (card.height + gap) };
  };

  for (const { look, name, certificates } of cards) {
    const faces = Math.ceil(certificates.length / perCard);
    for (let face = 0; face < faces; face++) {
      const { x, y } = place();
      const section = doc.struct('Sect');
      body.add(section);
      const line = (type: string, text: string, top: number, size: number, bold: boolean, colour: string, width = textWidth) => {
        const shown = printable(text);
        const part = doc.struct(type, { actual: text }, () => {
          doc.font(bold ? typeface.bold : typeface.regular).fontSize(size);
          // A name may take two lines, in smaller type.
          const fitted = Math.max(size * (type === 'H1' ? 0.5 : 0.75), Math.min(size, (size * width) / doc.widthOfString(shown)));
          doc
            .fontSize(fitted)
            .fillColor(colour)
            .text(shown, x + 10, y + top, { width, height: size * 1.35, ellipsis: true });
        });
        section.add(part);
        part.end();
      };
      passedOver(() => {
        doc.rect(x, y, card.width, 5).fill(look.brand.colours.primary);
        if (sheet) doc.rect(x, y, card.width, card.height).lineWidth(0.4).dash(3, { space: 2 }).stroke('#718096').undash();
      });
      line('H1', name, 11, 11, true, pdfInk.text);
      line('P', `${look.organisation}${faces > 1 ? ` · card ${face + 1} of ${faces}` : ''}`, 26, 6.5, false, pdfInk.soft);
      const some = certificates.slice(face * perCard, (face + 1) * perCard);
      for (const [i, { course, expiresAt, number }] of some.entries()) {
        const top = 38 + i * 16;
        line('P', course, top, 6.5, true, pdfInk.text);
        line('P', `${expiresAt ? `Renew by ${dayInPdf(expiresAt, look.zone)}` : 'Does not expire'} · ${number}`, top + 7.6, 5.5, false, pdfInk.soft);
      }
      const only = some.length === 1 ? some[0] : undefined;
      const address = only ? `${look.verifyAt}/${only.number}` : look.verifyAt;
      const left = x + card.width - codeSide - 8;
      const box = { bbox: [left, y + 14, left + codeSide, y + 14 + codeSide], placement: 'Block' };
      const code = doc.struct('Figure', { alt: `Code that opens ${address}`, ...box } as object, () => {
        const { data, size } = encode(address, { ecc: 'M', border: 2 });
        const side = codeSide / size;
        for (const [row, cells] of data.entries())
          for (const [column, dark] of cells.entries()) if (dark) doc.rect(left + column * side, y + 14 + row * side, side + 0.02, side + 0.02);
        doc.fill('#000000');
      });
      section.add(code);
      code.end();
      const words = doc.struct('P', {}, () =>
        doc
          .font(typeface.regular)
          .fontSize(5)
          .fillColor(pdfInk.soft)
          .text('Scan to verify', left, y + 15 + codeSide, { width: codeSide, align: 'center' }),
      );
      section.add(words);
      words.end();
      section.end();
      await turn();
    }
  }
  body.end();
  return whole();
};

import PDFDocument from 'pdfkit';
import { afterEach, expect, it, vi } from 'vitest';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { certificatePdf } from '#server/features/results/certificate-pdf.service.ts';
import { trainingRecordPdf } from '#server/features/results/training-record-pdf.ts';

afterEach(() => vi.restoreAllMocks());

type Box = { text: string; page: object; left: number; right: number; top: number; bottom: number };
/** Where each piece of text stands, as the document draws it. */
const boxes = (): Box[] => {
  const drawn: Box[] = [];
  const inside = PDFDocument.prototype as unknown as {
    _fragment(this: PDFKit.PDFDocument, text: string, x: number, y: number, options: object): void;
  };
  const fragment = inside._fragment;
  vi.spyOn(inside, '_fragment').mockImplementation(function (this: PDFKit.PDFDocument, text, x, y, options) {
    const height = this.currentLineHeight(false);
    if (text.trim() !== '') drawn.push({ text, page: this.page, left: x, right: x + this.widthOfString(text), top: y, bottom: y + height * 0.8 });
    fragment.call(this, text, x, y, options);
  });
  return drawn;
};

const printedOver = (drawn: Box[]): string[] =>
  drawn.flatMap((a, i) =>
    drawn
      .slice(i + 1)
      .filter((b) => a.page === b.page && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );

it('a training record prints no text over another: each cell keeps to its column, whatever its length', async () => {
  const drawn = boxes();
  const result = (n: number) => ({
    title: n % 2 ? 'Understanding the Mental Capacity Act and the Deprivation of Liberty Safeguards in a residential home' : 'Moving',
    ...{ completed_at: '2023-07-01T23:29:00.000Z', expires_at: n % 3 ? '2024-07-01T23:29:00.000Z' : null, score: n % 4 ? 100 : null },
  });
  await trainingRecordPdf({
    ...{ name: 'Wolfeschlegelsteinhausenbergerdorff Bartholomew-Featherstonehaugh', role: 'Senior carer', organisation: 'Willowbrook', logo: null },
    ...{
      at: new Date('2026-11-24T00:00:00Z'),
      zone: 'Europe/London',
      brand: defaultWhitelabel,
      results: Array.from({ length: 40 }, (_, n) => result(n)),
    },
  });
  expect(drawn.some((b) => b.text.includes('02/07/2024 (past)'))).toBe(true);
  expect(printedOver(drawn)).toEqual([]);
});

it('a certificate prints its number and where it is verified, apart from everything else', async () => {
  const drawn = boxes();
  await certificatePdf({
    ...{ name: 'Amara Okafor', course: 'Fire safety', organisation: 'Willowbrook', zone: 'Europe/London', score: 100 },
    ...{ completedAt: '2026-11-21T10:00:00.000Z', expiresAt: '2027-11-21T10:00:00.000Z', logo: null, signature: null },
    ...{ number: '7K3M-9QXB-2F4D', verifyAt: 'https://lantern.example/verify-certificate' },
    ...{ brand: defaultWhitelabel, wording: { ...defaultCertificate, signatoryName: 'Helen Marsh', signatoryRole: 'Registered manager' } },
  });
  const lines = drawn.map((b) => b.text).join(' ');
  expect(lines).toContain('Certificate number 7K3M-9QXB-2F4D');
  expect(lines).toContain('Check that it is valid at https://lantern.example/verify-certificate');
  expect(printedOver(drawn)).toEqual([]);
});

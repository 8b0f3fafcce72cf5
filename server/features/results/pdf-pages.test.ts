import PDFDocument from 'pdfkit';
import { afterEach, expect, it, vi } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
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
  const over = drawn.flatMap((a, i) =>
    drawn
      .slice(i + 1)
      .filter((b) => a.page === b.page && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );
  expect(over).toEqual([]);
});

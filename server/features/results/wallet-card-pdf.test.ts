import { expect, it } from 'vitest';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import type { CertificateLook } from '#server/features/results/certificate-pdf.service.ts';
import { type WalletCard, walletCardsPdf } from '#server/features/results/wallet-card-pdf.ts';
import { printedOver, readPdf } from '#tests/support/read-pdf.ts';

const look: CertificateLook = {
  ...{ organisation: 'Willowbrook', zone: 'Europe/London', verifyAt: 'https://lantern.example/verify-certificate', brand: defaultWhitelabel },
  ...{ wording: defaultCertificate, logo: null, signature: null },
};
const certificate = (course: string, expiresAt: string | null = '2027-11-21T10:00:00.000Z') => ({ course, expiresAt, number: '7K3M-9QXB-2F4D' });
const at = new Date('2026-11-26T10:00:00Z');

it('a wallet card says who, where and what is in date until when, and its code leads to the page that verifies it', async () => {
  const card: WalletCard = { look, name: 'Zofia Wiśniewska', certificates: [certificate('Fire safety'), certificate('Oral health', null)] };
  const read = await readPdf(await walletCardsPdf([card], { sheet: false, at }));
  expect([read.pageCount, read.title, read.language, read.described('pdfuaid:part')]).toEqual([1, 'Training card – Zofia Wiśniewska', 'en-GB', '1']);
  const parts = read.pages[0]?.[0]?.children?.[0]?.children ?? [];
  expect(parts.map((p) => p.text ?? p.alt)).toEqual([
    ...['Zofia Wiśniewska', 'Willowbrook', 'Fire safety', 'Renew by 21/11/2027 · 7K3M-9QXB-2F4D', 'Oral health'],
    ...['Does not expire · 7K3M-9QXB-2F4D', 'Code that opens https://lantern.example/verify-certificate', 'Scan to verify'],
  ]);
  const one = await readPdf(await walletCardsPdf([{ ...card, certificates: [certificate('Fire safety')] }], { sheet: false, at }));
  expect(JSON.stringify(one.pages)).toContain('Code that opens https://lantern.example/verify-certificate/7K3M-9QXB-2F4D');
});

it('a sheet holds ten cards, further ones for those with many certificates, and nothing is printed over another', async () => {
  const long = 'Understanding the Mental Capacity Act and the Deprivation of Liberty Safeguards in a residential home';
  const cards = Array.from(
    { length: 9 },
    (_, n): WalletCard => ({
      ...{ look, name: n === 3 ? 'Wolfeschlegelsteinhausenbergerdorff Bartholomew-Featherstonehaugh' : `Person ${n}` },
      certificates: Array.from({ length: n === 4 ? 16 : 2 }, (__, i) => certificate(i % 2 ? long : `Course ${i}`)),
    }),
  );
  const read = await readPdf(await walletCardsPdf(cards, { sheet: true, at }));
  expect([read.pageCount, read.title]).toEqual([2, 'Training cards']);
  expect(read.lines.filter((line) => line.startsWith('Willowbrook'))).toEqual([
    ...Array(4).fill('Willowbrook'),
    ...[1, 2, 3].map((n) => `Willowbrook · card ${n} of 3`),
    ...Array(4).fill('Willowbrook'),
  ]);
  // A name is never cut.
  expect(read.lines.join('').replaceAll(' ', '')).toContain('WolfeschlegelsteinhausenbergerdorffBartholomew-Featherstonehaugh');
  expect(printedOver(read.pieces)).toEqual([]);
  expect(read.pieces.filter((p) => p.left < 0 || p.right > 595 || p.bottom < 0 || p.top > 842)).toEqual([]);
});

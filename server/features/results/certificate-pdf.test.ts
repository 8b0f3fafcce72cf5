import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { type Certificate, type CertificateLook, certificatePdf, certificatePdfs } from '#server/features/results/certificate-pdf.service.ts';
import { printedOver, readPdf } from '#tests/support/read-pdf.ts';

const look: CertificateLook = {
  ...{ organisation: 'Willowbrook', zone: 'Europe/London', verifyAt: 'https://lantern.example/verify-certificate', brand: defaultWhitelabel },
  wording: { ...defaultCertificate, signatoryName: 'Helen Marsh', signatoryRole: 'Registered manager' },
  ...{ logo: null, signature: null },
};
const amara: Certificate = {
  ...{ look, name: 'Amara Okafor', course: 'Fire safety', score: 100, number: '7K3M-9QXB-2F4D' },
  ...{ completedAt: '2026-11-21T10:00:00.000Z', expiresAt: '2027-11-21T10:00:00.000Z' },
};
const pageOf = async (certificate: Certificate) => readPdf(await certificatePdf(certificate));
const partsOf = async (certificate: Certificate) => (await pageOf(certificate)).pages[0]?.[0]?.children ?? [];

describe('a certificate', () => {
  it('is one page that another reader reads in order: tagged, titled, in a language and said to be PDF/UA', async () => {
    const read = await pageOf(amara);
    expect([read.pageCount, read.title, read.language, read.tagged, read.showsTitle]).toEqual([1, 'Fire safety – Amara Okafor', 'en-GB', true, true]);
    expect([read.described('dc:title'), read.described('pdfuaid:part')]).toEqual(['Fire safety – Amara Okafor', '1']);
    const texts = [
      ...['Willowbrook', 'Certificate of completion', 'This is to certify that', 'Amara Okafor', 'has completed', 'Fire safety'],
      ...['Completed on 21/11/2026 · Score 100 % · Renew by 21/11/2027', 'Helen Marsh, Registered manager'],
      ...['Certificate number 7K3M-9QXB-2F4D', 'Check that it is valid at https://lantern.example/verify-certificate'],
    ];
    expect(read.lines).toEqual(texts);
    expect(read.pages[0]).toEqual([
      { role: 'Document', children: texts.map((text) => ({ role: text.startsWith('Certificate of') ? 'H1' : 'P', text })) },
    ]);
    expect(printedOver(read.pieces)).toEqual([]);
  });

  it('shows the logo and the signature, each with words for it', async () => {
    const picture = await sharp({ create: { width: 300, height: 80, channels: 4, background: { r: 4, g: 181, b: 227, alpha: 0.5 } } })
      .png()
      .toBuffer();
    const parts = await partsOf({ ...amara, look: { ...look, logo: picture, signature: picture } });
    expect(parts.filter((p) => p.role === 'Figure').map((p) => p.alt)).toEqual(['Willowbrook, logo', 'Signature of Helen Marsh, Registered manager']);
    expect(parts.map((p) => p.text)).toContain('Willowbrook · Certificate number 7K3M-9QXB-2F4D');
  });

  it('says a name whatever its letters: written from right to left, with marks, and where the typeface has no letters for it', async () => {
    for (const name of ['Nguyễn Thị Hoa', 'Zofia Wiśniewska', 'Ольга Иванова', 'محمد علي', 'משה כהן', 'A\u0323\u0308ke'])
      expect((await partsOf({ ...amara, name })).map((p) => p.text?.normalize('NFC'))).toContain(name.normalize('NFC'));
    // In a name of both directions each part stands in its own.
    expect((await pageOf({ ...amara, name: 'Amara (אמרה) Okafor' })).lines[3]).toBe('Amara (אמרה) Okafor');
    const lacking = await certificatePdf({ ...amara, name: '山田 Tanaka' });
    const read = await readPdf(lacking);
    expect([read.lines[3], read.title]).toEqual(['□□ Tanaka', 'Fire safety – 山田 Tanaka']);
  });

  it('sets long texts smaller and on more lines, whole and inside the frame', async () => {
    for (const name of [`Maximiliana ${'Featherstonehaugh-Cholmondeley '.repeat(4)}`.trim(), 'W'.repeat(200), 'x'])
      for (const course of [
        'Fire safety',
        'Understanding the Mental Capacity Act and the Deprivation of Liberty Safeguards in a residential home '.repeat(2).trim(),
      ]) {
        const read = await pageOf({ ...amara, name, course });
        const texts = read.pages[0]?.[0]?.children?.map((p) => p.text?.replaceAll(' ', ''));
        for (const text of [name, course]) expect(texts).toContain(text.replaceAll(' ', ''));
        expect(printedOver(read.pieces)).toEqual([]);
        expect(read.pieces.filter((p) => p.left < 28 || p.right > 814)).toEqual([]);
      }
  });

  it('of a batch is the same as alone, and each in the look of its organisation', async () => {
    const other = { ...look, organisation: 'Harbour View', wording: { ...look.wording, heading: 'Certificate of attendance' } };
    const all = Array.from(
      { length: 30 },
      (_, i): Certificate => ({ ...amara, look: i % 3 ? look : other, name: `Ngũgĩ ${i} 李 Ω`, course: `Course ${i % 7}` }),
    );
    const made: Uint8Array[] = [];
    for await (const pieces of certificatePdfs(all)) made.push(Buffer.concat(pieces));
    expect(made).toHaveLength(30);
    for (const [i, certificate] of all.entries()) {
      const [together, alone] = [await readPdf(made[i] as Uint8Array), await pageOf(certificate)];
      expect({ ...together, described: null }).toEqual({ ...alone, described: null });
      expect(together.lines[0]).toBe(certificate.look.organisation);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { certificatePdf } from '#server/features/results/certificate-pdf.service.ts';

describe('a certificate', () => {
  it('is a PDF of one page for any name, however long and whatever its letters', async () => {
    for (const name of ['Amara Okafor', 'Nguyễn Thị Hoa', 'Zofia Wiśniewska', `Maximiliana ${'Featherstonehaugh-Cholmondeley '.repeat(4)}`]) {
      const pdf = await certificatePdf({
        name,
        course: 'Fire safety',
        organisation: 'Willowbrook',
        completedAt: '2026-11-21T10:00:00.000Z',
        expiresAt: null,
        zone: 'Europe/London',
        score: 100,
        number: 'ABCD-EFGH-JKMN',
        verifyAt: 'https://lantern.example/verify-certificate',
        brand: defaultWhitelabel,
        wording: defaultCertificate,
        logo: null,
        signature: null,
      });
      const text = pdf.toString('latin1');
      expect(text.startsWith('%PDF-')).toBe(true);
      expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1);
      expect(text).toContain('/FontFile2');
    }
  });
});

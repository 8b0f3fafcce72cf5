import { expect, it } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { pdfPages } from '#server/pdf/pages.ts';
import { trainingRecordPdf } from '#server/features/results/training-record-pdf.ts';
import { printedOver, readPdf } from '#tests/support/read-pdf.ts';

it('a training record prints no text over another: each cell keeps to its column, whatever its length', async () => {
  const result = (n: number) => ({
    type: n === 7 ? ('exempt' as const) : ('elearning' as const),
    title: n % 2 ? 'Understanding the Mental Capacity Act and the Deprivation of Liberty Safeguards in a residential home' : 'Moving',
    ...{ completed_at: '2023-07-01T23:29:00.000Z', expires_at: n % 3 ? '2024-07-01T23:29:00.000Z' : null, score: n % 4 ? 100 : null },
  });
  const pdf = await trainingRecordPdf({
    ...{ name: 'Wolfeschlegelsteinhausenbergerdorff Bartholomew-Featherstonehaugh', role: 'Senior carer', organisation: 'Willowbrook', logo: null },
    ...{
      at: new Date('2026-11-24T00:00:00Z'),
      zone: 'Europe/London',
      brand: defaultWhitelabel,
      results: Array.from({ length: 40 }, (_, n) => result(n)),
    },
  });
  const { pieces, lines } = await readPdf(pdf);
  expect(lines.join(' ')).toContain('02/07/2024 (past)');
  expect(printedOver(pieces)).toEqual([]);
});

it('a training record is read in order by another reader: its title, its person, and a table with headings', async () => {
  const result = (title: string, more: object = {}) => ({
    ...{ title, type: 'elearning' as const, completed_at: '2026-03-01T10:00:00.000Z', expires_at: '2027-03-01T10:00:00.000Z', score: 90 },
    ...more,
  });
  const about = {
    name: 'Zofia Wiśniewska',
    role: 'Senior carer',
    organisation: 'Willowbrook',
    zone: 'Europe/London',
    brand: defaultWhitelabel,
    logo: null,
  };
  const at = new Date('2026-11-24T00:00:00Z');
  const exempt = { type: 'exempt', score: null, expires_at: null };
  const pdf = await trainingRecordPdf({ ...about, at, results: [result('Fire safety'), result('Oral health', exempt)] });
  const read = await readPdf(pdf);
  expect([read.title, read.language, read.tagged, read.showsTitle]).toEqual(['Training record – Zofia Wiśniewska', 'en-GB', true, true]);
  expect([read.described('dc:title'), read.described('pdfuaid:part')]).toEqual(['Training record – Zofia Wiśniewska', '1']);
  const row = (...texts: [role: string, text: string][]) => ({ role: 'TR', children: texts.map(([role, text]) => ({ role, text })) });
  expect(read.pages[0]).toEqual([
    {
      role: 'Document',
      children: [
        { role: 'P', text: 'Willowbrook' },
        { role: 'H1', text: 'Training record' },
        { role: 'P', text: 'Zofia Wiśniewska' },
        { role: 'P', text: 'Senior carer, Willowbrook' },
        { role: 'P', text: 'As of 24/11/2026' },
        {
          role: 'Table',
          children: [
            { role: 'THead', children: [row(['TH', 'Course'], ['TH', 'Completed'], ['TH', 'Renew by'], ['TH', 'Score'])] },
            {
              role: 'TBody',
              children: [
                row(['TH', 'Fire safety'], ['TD', '01/03/2026'], ['TD', '01/03/2027'], ['TD', '90 %']),
                row(['TH', 'Oral health'], ['TD', '01/03/2026'], ['TD', '–'], ['TD', 'Exempt']),
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect([pdf.toString('latin1').match(/\/Scope \/Column/g), pdf.toString('latin1').match(/\/Scope \/Row/g)].map((all) => all?.length)).toEqual([
    4, 2,
  ]);
  // Headings that a further page repeats, and page numbers, are passed over.
  const long = await readPdf(await trainingRecordPdf({ ...about, at, results: Array.from({ length: 60 }, (_, n) => result(`Course ${n}`)) }));
  expect(long.pageCount).toBeGreaterThan(1);
  expect(long.lines.filter((line) => line.startsWith('Course') && !/\d/.test(line)).length).toBeGreaterThan(1);
  expect(JSON.stringify(long.pages.slice(1))).not.toContain('"Course"');
  expect(JSON.stringify(long.pages)).not.toContain('page 1 of');
  expect(printedOver(long.pieces)).toEqual([]);
  const empty = await readPdf(await trainingRecordPdf({ ...about, at, results: [] }));
  expect(empty.pages[0]?.[0]?.children?.map((p) => p.text)).toContain('Nothing recorded yet.');
});

it('a head that is wider than its column takes a second line, on each page, and is printed over nothing', async () => {
  const words = ['Completed by', 'Qualification of the training company', 'Recorded', 'Certificate number and issuing body'];
  const about = { title: 'Results', name: 'Willowbrook', about: '', organisation: 'Willowbrook', zone: 'Europe/London', logo: null };
  for (const wide of [{ wide: true as const }, {}]) {
    const pdf = await pdfPages(
      { ...about, ...wide, at: new Date('2026-11-24T00:00:00Z'), brand: defaultWhitelabel },
      words.map((word, i) => ({ word, from: i / 8 })),
      ({ row }) => {
        for (let n = 0; n < 60; n++) row(words.map(() => ({ text: `Row ${n}` })));
      },
    );
    const { pieces, pageCount } = await readPdf(pdf);
    expect(pageCount).toBeGreaterThan(1);
    expect(printedOver(pieces)).toEqual([]);
  }
});

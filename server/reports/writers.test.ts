import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import readSheets from 'read-excel-file/node';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import type { Cell } from '#contract/rules/csv.ts';
import { cellsOf } from '#server/reports/cells.ts';
import { csvOf } from '#server/reports/csv.ts';
import { pdfOf } from '#server/reports/pdf.ts';
import type { ReportTable, ReportWriter, StandingCell, TableCell, TableColumn } from '#server/reports/report-table.ts';
import { printedOver, readPdf } from '#tests/support/read-pdf.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';

type Row = { name: string; day: string | null; met: number };
const columns = [
  { head: 'Name', type: 'text', width: 30, value: (r: Row) => r.name },
  { head: 'Day', type: 'day', width: 12, value: (r: Row) => r.day },
  { head: 'Met', type: 'number', width: 8, value: (r: Row) => r.met },
] as const;
const cells = (rows: readonly Row[], zone = 'Europe/London'): Cell[][] => rows.map((r) => cellsOf(columns, r, zone));
const table = (pieces: ReportTable['pieces']): ReportTable => ({
  ...{
    columns,
    pieces,
    total: 0,
    title: 'Care Certificate: report',
    chosen: 'Approved',
    organisation: 'Willowbrook',
    madeBy: 'Helen Marsh',
    logo: null,
  },
  ...{ at: new Date('2026-07-01T23:30:00Z'), zone: 'Europe/London', brand: defaultWhitelabel },
});
async function* oncePiece(rows: readonly Row[]) {
  yield cells(rows);
}
const bytesOf = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
};
const written = (write: ReportWriter, rows: readonly Row[]): Promise<Buffer> => bytesOf(write(table(oncePiece(rows))));
const rows: Row[] = [
  { name: 'O’Brien, "Mo" <b>&amp;', day: '2026-07-01T23:30:00.000Z', met: 3 },
  { name: '=HYPERLINK("https://evil.example","x")', day: '2026-03-01', met: 0 },
  { name: '@SUM(A1)', day: null, met: -5 },
  { name: 'bell\u0007 and half \ud83d', day: null, met: 1.5 },
  { name: 'שלום عربي', day: null, met: 1 },
  { name: `first line\nsecond ${'x'.repeat(40_000)}`, day: null, met: 2 },
];
const clean = ['O’Brien, "Mo" <b>&amp;', '=HYPERLINK("https://evil.example","x")', '@SUM(A1)', 'bell and half \ufffd', 'שלום عربي'];

describe('files of a report', () => {
  it('are CSV that other programs read, in which text is never a formula', async () => {
    const text = (await written(csvOf, rows)).toString();
    expect(text.startsWith('\uFEFF"Name","Day","Met"\r\n')).toBe(true);
    const read = parse(text, { bom: true }) as string[][];
    expect(read.slice(1, 6)).toEqual([
      [clean[0], '2026-07-02', '3'],
      [`'${clean[1]}`, '2026-03-01', '0'],
      [`'${clean[2]}`, '', '-5'],
      [clean[3], '', '1.5'],
      [clean[4], '', '1'],
    ]);
    expect(read[6]?.[0]).toHaveLength(32_767);
  });

  it('are workbooks with dates, numbers and text, a frozen head and a filter, as two readers find them', async () => {
    const bytes = await written(xlsxOf, rows);
    const [report, about] = await readSheets(bytes);
    expect(report?.data.slice(0, 6)).toEqual([
      ['Name', 'Day', 'Met'],
      [clean[0], new Date('2026-07-02T00:00:00Z'), 3],
      [clean[1], new Date('2026-03-01T00:00:00Z'), 0],
      [clean[2], null, -5],
      [clean[3], null, 1.5],
      [clean[4], null, 1],
    ]);
    expect(String(report?.data[6]?.[0])).toHaveLength(32_767);
    expect(about?.data).toContainEqual(['Made on', '02/07/2026 00:30 (Europe/London)']);
    expect(about?.data).toContainEqual(['Made by', 'Helen Marsh']);
    const second = await readXlsx(bytes);
    expect(second.sheets[0]?.rows.slice(1, 6).map((r) => [r[0], r[2]])).toEqual(clean.map((name, i) => [name, rows[i]?.met]));
    const sheet = new TextDecoder().decode(unzipSync(bytes)['xl/worksheets/sheet1.xml']);
    expect(sheet).toContain('state="frozen"');
    expect(sheet).toContain('<autoFilter ref="A1:C7"/>');
    expect(sheet).not.toContain('<f>');
  });

  it('are documents with the heads and the number on each page, who made them and what was chosen', async () => {
    const many = [...rows, ...Array.from({ length: 120 }, (_, n) => ({ name: `Person ${n}`, day: '2026-03-01', met: n }))];
    const { pieces, pageCount, title, language } = await readPdf(await written(pdfOf, many));
    expect([title, language]).toEqual(['Care Certificate: report – Willowbrook', 'en-GB']);
    expect(pageCount).toBeGreaterThan(2);
    for (let page = 1; page <= pageCount; page++) {
      const texts = pieces.filter((p) => p.page === page).map((p) => p.text);
      expect(texts).toEqual(
        expect.arrayContaining(['Care Certificate: report', 'Willowbrook', 'Chosen: Approved', 'Name', 'Day', 'Met', `page ${page} of ${pageCount}`]),
      );
      expect(texts).toContain('Made by Helen Marsh on 02/07/2026 at 00:30 (Europe/London)');
    }
    const all = pieces.map((p) => p.text);
    for (const text of ['@SUM(A1)', 'Person 119', '02/07/2026', '1.5']) expect(all).toContain(text);
    expect(all.filter((t) => /^Person \d+$/.test(t))).toHaveLength(120);
  });

  it('are documents in which every column fits: nothing is printed over another, no day and no word is broken', async () => {
    const heads: readonly [string, TableColumn['type']][] = [
      ...(['Name', 'Organisation', 'Job role', 'Course', 'Kind', 'Status'] as const).map((head) => [head, 'text'] as [string, 'text']),
      ...(['Completed', 'Expires'] as const).map((head) => [head, 'day'] as [string, 'day']),
      ...(['Score', 'CPD hours', 'Minutes'] as const).map((head) => [head, 'number'] as [string, 'number']),
      ...[['Recorded by', 'text'] as [string, 'text'], ['Recorded', 'day'] as [string, 'day']],
    ];
    const soon: StandingCell = { word: 'Expires soon', brief: 'Soon', note: null, tone: 'warning' };
    const row = (n: number): TableCell[] => [
      ...['Oluwaseun Featherstonehaugh-Abernathy', 'Willowbrook Supported Living and Home Care', 'Care assistant, residential'],
      ...[n % 2 ? 'Deprivation of Liberty Safeguards: for those who lead' : 'Fire safety', 'Safeguarding, in force since 01/02/2026'],
      ...[{ stands: soon, day: null }, '2026-12-31', n % 3 ? '2027-12-31' : null, 100, 1.5, 1200],
      ...[n === 7 ? `somebody.with.a.very.long.address.${'x'.repeat(60)}@willowbrook.test` : 'Priya Raman', '2026-11-30'],
    ];
    const list: ReportTable = {
      ...table(
        (async function* () {
          yield Array.from({ length: 90 }, (_, n) => row(n));
        })(),
      ),
      ...{ columns: heads.map(([head, type]) => ({ head, type, width: 20 })), total: 90, title: 'Results report' },
      chosen: `Organisations ${'Ash House, Birch House, Cedar House, '.repeat(12)}; without new starters`,
    };
    const { pieces, pageCount } = await readPdf(await bytesOf(pdfOf(list)));
    expect(pageCount).toBeGreaterThan(2);
    expect(printedOver(pieces)).toEqual([]);
    expect(pieces.filter(({ left, right, bottom }) => left < 29 || right > 842 - 29 || bottom < 20)).toEqual([]);
    const texts = pieces.map((p) => p.text);
    // Days and the words of names, heads and courses stand whole on a line.
    expect(texts.filter((t) => t === '31/12/2026')).toHaveLength(90);
    expect(texts.filter((t) => t === '30/11/2026')).toHaveLength(90);
    expect(texts.filter((t) => /(^|[^\d/])01\/02\/2026/.test(t))).toHaveLength(90);
    const found = new Set(texts.flatMap((t) => t.split(' ')));
    for (const word of ['Featherstonehaugh-', 'Abernathy', 'residential', 'Deprivation', 'Safeguards:', 'Completed', 'Organisation', 'Recorded'])
      expect(found).toContain(word);
    // What was chosen is cut after its second line, before it reaches the table.
    expect(texts.filter((t) => t.endsWith(' …'))).toHaveLength(pageCount);
  });

  it('are documents also of nothing, and say so', async () => {
    const { pieces, pageCount } = await readPdf(await written(pdfOf, []));
    const texts = pieces.map((p) => p.text);
    expect(pageCount).toBe(1);
    expect(texts).toEqual(expect.arrayContaining(['Name', 'Nothing matches what was chosen.', 'page 1 of 1']));
  });

  for (const [name, write] of Object.entries({ csv: csvOf, xlsx: xlsxOf }))
    it(`hold a few rows at once, however many there are (${name})`, async () => {
      let pulled = 0;
      const pieces = (async function* () {
        for (let n = 0; n < 50; n++) {
          pulled += 1;
          yield cells(Array.from({ length: 200 }, (_, i) => ({ name: `Person ${n * 200 + i} ${Math.sin(n * 200 + i)}`, day: '2026-03-01', met: i })));
        }
      })();
      let before = 0;
      let ahead = 0;
      let largest = 0;
      let total = 0;
      for await (const part of write(table(pieces))) {
        ahead = Math.max(ahead, pulled - before);
        [before, largest, total] = [pulled, Math.max(largest, part.length), total + part.length];
      }
      expect(pulled).toBe(50);
      expect(ahead).toBeLessThanOrEqual(8);
      expect(largest).toBeLessThan(total / 4);
    });
});

describe('files of a table with very many columns', () => {
  const inDate: StandingCell = { word: 'In date', brief: 'In date', note: null, tone: 'ok' };
  const missing: StandingCell = { word: 'Missing', brief: 'Missing', note: 'desirable', tone: 'danger' };
  const ended: StandingCell = { word: 'No longer "required"', brief: 'Ended', note: null, tone: null };
  const many = 50;
  const people = 40;
  const cellsAt = (row: number, column: number): TableCell =>
    [{ stands: inDate, day: '2027-03-12' }, { stands: missing, day: null }, { stands: ended, day: '2020-01-31' }, null][
      (row + column) % 4
    ] as TableCell;
  const wide = (name = 'Amara Okafor', course = '=Course'): ReportTable => ({
    ...table(
      (async function* () {
        for (let row = 0; row < people; row += 10)
          yield Array.from({ length: 10 }, (_, i): TableCell[] => [
            ...[`${name} ${row + i}`, 'Cook', 'Rowan House', row + i],
            ...Array.from({ length: many }, (_, column) => cellsAt(row + i, column)),
          ]);
      })(),
    ),
    ...{ total: people, sheet: 'Matrix' },
    columns: [
      ...['Name', 'Job role', 'Organisation'].map((head) => ({ head, type: 'text' as const, width: 20 })),
      { head: 'In date', type: 'percent', width: 10 },
      ...Array.from({ length: many }, (_, i) => ({ head: `${course} ${i}`, type: 'standing' as const, width: 20 })),
    ],
    sums: () => ({
      foot: ['All', null, null, 61, ...Array.from({ length: many }, () => 7)],
      sheets: [{ name: 'People', columns: [{ head: 'Name', type: 'text', width: 20 }], rows: [['=Amara']] }],
    }),
  });

  it('are documents whose every page has the heads of its columns and the names of its rows, with words beside the colours', async () => {
    const { pieces, pageCount, title } = await readPdf(await bytesOf(pdfOf(wide('Zofia Wiśniewska שלום'))));
    expect(title).toBe('Care Certificate: report – Willowbrook');
    expect(pageCount).toBe(2 * 3);
    const columnsOf: string[] = [];
    for (let page = 1; page <= pageCount; page++) {
      const texts = pieces.filter((p) => p.page === page).map((p) => p.text);
      const heads = texts.filter((t) => t.startsWith('=Course'));
      columnsOf.push(`${heads.length} from ${heads[0]}`);
      expect(texts).toContain(`page ${page} of ${pageCount}`);
      expect(texts.filter((t) => t.includes('Wiśniewska'))).toHaveLength(page <= 3 ? 32 : 8);
      for (const word of [
        'Made by Helen Marsh on 02/07/2026 at 00:30 (Europe/London)',
        'Chosen: Approved',
        'In date',
        'Missing*',
        'Ended',
        '12/03/27',
      ])
        expect(texts).toContain(word);
      expect(texts.filter((t) => t === 'All')).toHaveLength(page <= 3 ? 0 : 1);
    }
    expect(columnsOf.slice(0, 3)).toEqual(['17 from =Course 0', '17 from =Course 17', '16 from =Course 34']);
    // Each cell stands below its column and beside its person.
    const words = pieces.filter((p) => p.page === 1 && p.text === 'In date' && p.left > 230);
    expect(words).toHaveLength(
      Array.from({ length: 32 * 17 }, (_, i) => cellsAt(Math.floor(i / 17), i % 17)).filter(
        (c) => (c as { stands?: unknown } | null)?.stands === inDate,
      ).length,
    );
  });

  it('are documents also of what hardly fits: a head without end, a name without end, one column', async () => {
    const { pieces, pageCount } = await readPdf(await bytesOf(pdfOf(wide('Wolfeschlegelsteinhausen'.repeat(20), 'Safeguarding '.repeat(60)))));
    expect(pageCount).toBe(6);
    for (const { right } of pieces.filter((p) => p.text.startsWith('Wolfe'))) expect(right).toBeLessThan(28 + 168);
    for (const { left } of pieces.filter((p) => p.text.startsWith('Safeguarding'))) expect(left).toBeLessThan(1190);
    const one = wide();
    const single = await readPdf(await bytesOf(pdfOf({ ...one, columns: one.columns.slice(0, 5) })));
    expect(single.pageCount).toBe(2);
  });

  it('are workbooks whose cells are dates with their word and colour, with a sheet of the people and one that says what was chosen', async () => {
    const bytes = await bytesOf(xlsxOf(wide()));
    const sheets = await readSheets(bytes);
    expect(sheets.map((s) => s.sheet)).toEqual(['Matrix', 'People', 'About']);
    const [matrix, more] = sheets;
    expect(matrix?.data).toHaveLength(people + 1);
    expect(matrix?.data[1]?.slice(0, 8)).toEqual([
      'Amara Okafor 0',
      'Cook',
      'Rowan House',
      0,
      new Date('2027-03-12T00:00:00Z'),
      'Missing (desirable)',
      new Date('2020-01-31T00:00:00Z'),
      null,
    ]);
    expect(matrix?.data[12]?.[3]).toBe(0.11);
    expect(more?.data).toEqual([['Name'], ['=Amara']]);
    const second = await readXlsx(bytes);
    expect(second.sheets[0]?.rows[1]?.[5]).toBe('Missing (desirable)');
    const parts = unzipSync(bytes);
    const xml = (name: string) => new TextDecoder().decode(parts[name]);
    expect(xml('xl/worksheets/sheet1.xml')).toContain('<pane xSplit="1" ySplit="1"');
    expect(xml('xl/worksheets/sheet1.xml')).not.toContain('<f>');
    const styles = xml('xl/styles.xml');
    expect(styles).toContain('formatCode="&quot;In date &quot;dd/mm/yyyy"');
    expect(styles).toContain('formatCode="&quot;No longer ”required” &quot;dd/mm/yyyy"');
    expect(styles).toContain(`<fgColor rgb="FF${defaultWhitelabel.trafficLightDanger.slice(1).toUpperCase()}"/>`);
    expect(parse((await bytesOf(csvOf(wide()))).toString(), { bom: true })[1]?.slice(3, 8)).toEqual([
      '0',
      'In date 2027-03-12',
      'Missing (desirable)',
      'No longer "required" 2020-01-31',
      '',
    ]);
  });
});

describe('amounts of money', () => {
  it('have their two decimals in each file, and are numbers in a workbook', async () => {
    const amounts = (): ReportTable => ({
      ...table(
        (async function* () {
          yield [
            ['Fire safety', 1980],
            ['Free', 0],
          ] as Cell[][];
        })(),
      ),
      columns: [
        { head: 'Item', type: 'text', width: 30 },
        { head: 'Net', type: 'money', width: 12 },
      ],
    });
    expect((await bytesOf(csvOf(amounts()))).toString()).toContain('"Fire safety","19.80"\r\n"Free","0.00"');
    const drawn = (await readPdf(await bytesOf(pdfOf(amounts())))).pieces.map((p) => p.text);
    expect(drawn).toEqual(expect.arrayContaining(['£19.80', '£0.00']));
    const [sheet] = (await readXlsx(await bytesOf(xlsxOf(amounts())))).sheets;
    const values = (sheet?.rows ?? []).map((row) => row[1]);
    expect(values).toEqual(expect.arrayContaining([19.8, 0]));
  });
});

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readTable } from '#server/features/importer/read-table.ts';
import { workbook } from '#tests/support/workbook.ts';

const utf16 = (text: string, big: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const plain = 'name,email\nZoë Müller,zoe@example.org\n';

/** A workbook with a table in its corner, and one cell elsewhere. */
const farApart = (rows: number, last: string): Buffer => {
  const parts = unzipSync(workbook([['name'], ...Array.from({ length: rows }, () => ['Ann'])]));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array);
  const cell = `<row r="${last.replace(/\D/g, '')}"><c r="${last}"/></row>`;
  return Buffer.from(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(sheet.replace('</sheetData>', `${cell}</sheetData>`)) }));
};

describe('a table', () => {
  it.each<[string, Buffer, RegExp]>([
    ['UTF-8', Buffer.from(plain), /UTF-8, separated by a comma/],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${plain}`), /UTF-8/],
    ['UTF-16', utf16(plain, false), /UTF-16/],
    ['UTF-16, the other way round', utf16(plain, true), /UTF-16/],
    ['Windows-1252', Buffer.from(plain, 'latin1'), /Windows-1252/],
    ['semicolons', Buffer.from(plain.replaceAll(',', ';')), /a semicolon/],
    ['tabs and CRLF', Buffer.from(plain.replaceAll(',', '\t').replaceAll('\n', '\r\n')), /a tab/],
    ['colons', Buffer.from(plain.replaceAll(',', ':')), /a colon/],
    ['UTF-16 without a mark', Buffer.from(plain, 'utf16le'), /UTF-16/],
    ['bars and CR', Buffer.from(plain.replaceAll(',', '|').replaceAll('\n', '\r')), /a bar/],
    [
      'a workbook',
      workbook([
        ['name', 'email'],
        ['Zoë Müller', 'zoe@example.org'],
      ]),
      /Excel workbook, sheet “Staff”/,
    ],
  ])('is read from %s', async (_what, bytes, format) => {
    const table = await readTable(bytes);
    expect(table.columns).toEqual(['name', 'email']);
    expect(table.rows).toEqual([{ no: 2, cells: ['Zoë Müller', 'zoe@example.org'], ragged: false }]);
    expect(table.format).toMatch(format);
  });
  it('is read in the encoding that a person chose where it does not tell itself, and says where one was guessed', async () => {
    const polish = Buffer.concat([Buffer.from('name:first,email\n'), Buffer.from('a3756b61737a', 'hex'), Buffer.from(',a@x.org\n')]);
    expect(await readTable(polish)).toMatchObject({
      format: 'CSV, Windows-1250 (guessed: check the names), separated by a comma',
      columns: ['name:first', 'email'],
      rows: [{ cells: ['Łukasz', 'a@x.org'] }],
    });
    expect(await readTable(polish, 'windows-1252')).toMatchObject({
      format: 'CSV, Windows-1252, separated by a comma',
      rows: [{ cells: ['£ukasz', 'a@x.org'] }],
    });
    expect((await readTable(Buffer.from(plain), 'windows-1250')).rows[0]?.cells[0]).toBe('Zoë Müller');
  });
  it('counts rows as the file does, past empty lines and cells of several lines', async () => {
    const { rows } = await readTable(Buffer.from('name,email\n\n"Ann\nLee",a@x.org\nB;C,b@x.org,extra\n'));
    expect(rows).toEqual([
      { no: 4, cells: ['Ann\nLee', 'a@x.org'], ragged: false },
      { no: 5, cells: ['B;C', 'b@x.org'], ragged: true },
    ]);
  });
  it('is read where somebody has left a cell without anything far below it', async () => {
    expect((await readTable(farApart(2, 'C1048576'))).rows).toHaveLength(2);
  }, 60_000);
  it('is refused where a workbook would fill the memory, also where it says that it would not', async () => {
    const padded = Buffer.from(
      zipSync({ 'xl/worksheets/sheet1.xml': [new Uint8Array(101_000_000), { level: 1 }], 'xl/workbook.xml': strToU8('<workbook/>') }),
    );
    await expect(readTable(padded)).rejects.toThrow(/too large when unpacked/);
    // The size in its list of contents: 24 bytes into the first entry there.
    const lying = Buffer.from(padded);
    lying.writeUInt32LE(10, lying.indexOf(Buffer.from('504b0102', 'hex')) + 24);
    await expect(readTable(lying)).rejects.toThrow(/cannot be opened/);
  }, 60_000);
  it.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(0), /empty/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Save it as \.xlsx/],
    ['a picture', Buffer.from('89504e470d0a1a0a00000000', 'hex'), /neither a CSV file nor/],
    ['a workbook of cells far apart', farApart(20, 'XFD1048576'), /too far apart/],
    ['an archive that is no workbook', Buffer.from('504b0304aaaa', 'hex'), /cannot be opened/],
    ['a quotation mark that is not closed', Buffer.from('name,email\n"Ann,a@x.org\nB,b@x.org\n'), /line \d+ is not closed/],
    ['names of columns alone', Buffer.from('name,email\n'), /no rows/],
    ['too many cells', Buffer.from(`${'a,'.repeat(99)}a\n${`${'b,'.repeat(99)}b\n`.repeat(16_000)}`), /more than 1,500,000 cells/],
    ['too many rows', Buffer.from(`name\n${'a\n'.repeat(50_001)}`), /more than 50,000 rows/],
  ])('is refused with a way out: %s', async (_what, bytes, words) => {
    await expect(readTable(bytes)).rejects.toMatchObject({ code: 'table_refused', message: expect.stringMatching(words) });
  });
});

import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { fileNamePart, uniqueNames } from '#server/files/file-names.ts';
import { storedZip } from '#server/files/stored-zip.ts';

const zipOf = async (files: { name: string; pieces: Uint8Array[] }[]) => {
  const parts: Uint8Array[] = [];
  const each = (async function* () {
    yield* files;
  })();
  for await (const part of storedZip(each, new Date('2026-11-21T10:20:30Z'))) parts.push(part);
  return Buffer.concat(parts);
};
const namesOf = (zip: Buffer) =>
  new Promise<string[]>((resolve, reject) =>
    yauzl.fromBuffer(zip, { strictFileNames: true }, (error, opened) => {
      if (error) return reject(error);
      const names: string[] = [];
      opened.on('entry', (entry: { fileName: string }) => names.push(entry.fileName));
      opened.on('end', () => resolve(names));
      opened.on('error', reject);
    }),
  );

describe('a zip of files', () => {
  it('opens in two readers with the names and bytes that went in', async () => {
    const files = [
      { name: 'Zofia Wiśniewska - Fire safety.pdf', pieces: [Buffer.from('one'), Buffer.from(' file')] },
      { name: 'empty.txt', pieces: [] },
      { name: 'large.bin', pieces: [Buffer.alloc(300_000, 7)] },
    ];
    const zip = await zipOf(files);
    const read = unzipSync(zip);
    expect(
      Object.entries(read).map(([name, bytes]) => [name, Buffer.from(bytes).equals(Buffer.concat(files.find((f) => f.name === name)?.pieces ?? []))]),
    ).toEqual(files.map((f) => [f.name, true]));
    expect(await namesOf(zip)).toEqual(files.map((f) => f.name));
    expect(Object.keys(unzipSync(await zipOf([])))).toEqual([]);
  });
});

describe('the names of files', () => {
  it('are ones that Windows takes, readable and each of its own', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (texts) => {
        const unique = uniqueNames();
        const names = texts.map((text) => unique(fileNamePart(text), 'pdf'));
        const wrong = (name: string) =>
          /[\p{Cc}<>:"/\\|?*]/u.test(name) ||
          /^(con|prn|aux|nul|com\d|lpt\d)\./i.test(name) ||
          !/^[^\s.].*\.pdf$/u.test(name) ||
          [...name].length >= 100;
        expect(names.filter(wrong)).toEqual([]);
        expect(new Set(names.map((n) => n.toLowerCase())).size).toBe(names.length);
      }),
    );
    expect(fileNamePart(' Siân O’Neill: "A/B" ... ')).toBe('Siân O’Neill A B');
    expect([fileNamePart('CON'), fileNamePart('...')]).toEqual(['CON_', '_']);
  });
});

import { describe, expect, it } from 'vitest';
import { encodingOf, sampleLines, tableEncodingNames } from '#contract/rules/table-encoding.ts';

/** The bytes of a text in an encoding of one byte for each character. */
const bytesOf = (text: string, encoding: string): Uint8Array => {
  const table = new Map(Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(text, (c) => table.get(c) ?? expect.fail(`${encoding} has no ${c}`));
};
const table = (names: string[]) => `name,email\n${names.map((n, i) => `${n},p${i}@example.org`).join('\n')}\n`;

describe('what a table is written in', () => {
  it.each([
    ['windows-1252', ['Zoë Müller', 'Siân Price', 'José Núñez', 'O’Brien']],
    ['windows-1252', ['François Lefèvre', 'Søren Ødegård', 'Günther Strauß']],
    ['windows-1252', ['Zoë Hughes']],
    ['windows-1250', ['Łukasz Wójcik', 'Agnieszka Dąbrowska', 'Paweł Gołębiewski']],
    ['windows-1250', ['Małgorzata Nowak']],
    ['windows-1250', ['Jiří Dvořák', 'Věra Kučerová', 'Ondřej Šťastný']],
    ['windows-1250', ['Ştefan Ioniţă', 'Ionuţ Brăileanu']],
    ['windows-1250', ['László Erdős', 'Győző Szűcs']],
    ['windows-1254', ['Ayşe Yıldız', 'Doğan Şahin']],
    ['windows-1257', ['Jurgita Žukauskienė', 'Rūta Šimkutė', 'Jānis Bērziņš']],
    ['windows-1251', ['Иван Петров', 'Олена Шевченко']],
  ])('is guessed to be %s from %s', (encoding, names) => {
    expect(encodingOf(bytesOf(table(names), encoding))).toEqual({ encoding, sure: false });
  });
  it('is known where it says so, or can be nothing else', () => {
    const text = table(['Łukasz', 'Zoë']);
    expect(encodingOf(Buffer.from(text))).toEqual({ encoding: 'utf-8', sure: true });
    expect(encodingOf(Buffer.from('name\nAnn\n'))).toEqual({ encoding: 'utf-8', sure: true });
    expect(encodingOf(Buffer.from(text).subarray(0, 12), true)).toEqual({ encoding: 'utf-8', sure: true });
    for (const mark of ['\ufeff', '']) {
      const wide = Buffer.from(mark + text, 'utf16le');
      expect(encodingOf(wide)).toEqual({ encoding: 'utf-16le', sure: true });
      expect(encodingOf(Buffer.from(wide).swap16())).toEqual({ encoding: 'utf-16be', sure: true });
    }
    expect(encodingOf(Buffer.from('89504e470d0a1a0a0000000dff', 'hex'))).toBeNull();
  });
  it('can be decoded, whichever it is', () => {
    for (const name of tableEncodingNames) expect(new TextDecoder(name).decode(Uint8Array.of(65))).toBe('A');
  });
  it('is shown by lines that have other letters than English ones', () => expect(sampleLines('name\r\nAnn\nZoë\rŁukasz')).toEqual(['Zoë', 'Łukasz']));
});

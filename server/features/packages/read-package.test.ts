import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageProblem, ScormManifest } from '#contract/entities/package.ts';
import { readPackage } from '#server/features/packages/read-package.ts';
import { doubled, h5pFiles, renamed, scormManifest, zip } from '#tests/support/archives.ts';

describe('an uploaded package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lantern-read-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = async (bytes: Buffer, kind: 'scorm' | 'h5p' = 'scorm') => {
    const path = join(folder, 'course.zip');
    writeFileSync(path, bytes);
    return readPackage({ path, kind, installed: [] });
  };
  const refusal = (bytes: Buffer, kind: 'scorm' | 'h5p' = 'scorm') =>
    read(bytes, kind).then(
      () => expect.fail('It was taken'),
      (error: { problems: PackageProblem[] }) => error.problems[0],
    );
  const page = { 'index.html': '<title>Before you lift</title>' };
  const course = (more: Record<string, string | Buffer> = {}, manifest: string | Buffer = scormManifest()) =>
    zip({ 'imsmanifest.xml': manifest, ...page, ...more });
  const nested = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `<item identifier="i${i}"><title>${i}</title>`).join('') +
    '<item identifier="leaf" identifierref="r1"><title>Leaf</title></item>' +
    '</item>'.repeat(depth);

  describe('is refused before it costs anything', () => {
    it.each([0, 1, 21, 22, 60])('where it is %i bytes of nothing', async (n) => {
      expect(await refusal(Buffer.alloc(n))).toMatchObject({ code: 'unreadable_archive' });
      expect(await refusal(Buffer.concat([Buffer.alloc(n), Buffer.from('504b0506', 'hex'), Buffer.alloc(18, 255)]))).toMatchObject({
        code: 'unreadable_archive',
      });
    });
    it('where its manifest has millions of elements', async () => {
      const many = scormManifest({ items: '<a/>'.repeat(300_000) });
      const problem = await refusal(await course({}, many));
      expect(problem).toMatchObject({ code: 'too_large', file: 'imsmanifest.xml' });
      expect(problem?.problem).toMatch(/more than 200,000 elements/);
    });
    it.each([50, 99, 2000, 100_000])('where its items are nested %i deep', async (depth) => {
      expect(await refusal(await course({}, scormManifest({ items: nested(depth) })))).toMatchObject({ code: 'too_large', file: 'imsmanifest.xml' });
    });
    it('where it has more items than a course can show', async () => {
      const items = Array.from({ length: 5001 }, (_, i) => `<item identifier="i${i}" identifierref="r1"/>`).join('');
      expect((await refusal(await course({}, scormManifest({ items }))))?.problem).toMatch(/more than 5,000 items/);
    });
    it.each(['[', '{"a":'])('where its JSON nests %s a hundred thousand deep', async (open) => {
      const content = open.repeat(100_000) + (open === '[' ? '' : '1') + (open === '[' ? ']' : '}').repeat(100_000);
      expect(await refusal(await zip(h5pFiles({ 'content/content.json': content })), 'h5p')).toMatchObject({ code: 'too_large' });
    });
    it('where its definitions are too much together', async () => {
      const translation = `{"a":"${'x'.repeat(15_000_000)}"}`;
      const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`Lantern.Steps-1.0/language/l${i}.json`, translation]));
      const bytes = await zip({ ...h5pFiles(files) });
      expect(await refusal(bytes, 'h5p')).toMatchObject({ code: 'too_large' });
    }, 60_000);
  });

  describe('is taken where it can be mended, and says what was', () => {
    const mended = async (bytes: Buffer) => (await read(bytes)).warnings.map((w) => [w.code, w.file, w.problem]);

    it('as it came from a careful tool, without a word', async () => expect(await mended(await course())).toEqual([]));
    it('items nested as deep as anybody nests them', async () =>
      expect(await mended(await course({}, scormManifest({ items: nested(20) })))).toEqual([]));
    it('one file twice, the same each time', async () => {
      const bytes = doubled(await course(), 'index.html');
      expect(await mended(bytes)).toEqual([['mended', 'index.html', 'One file was in the archive twice, with the same content: index.html.']]);
    });
    it('but not one file twice with other content', async () => {
      const bytes = await zip({ 'imsmanifest.xml': scormManifest(), 'index.html': 'one', 'indey.html': 'two' }, renamed('indey.html', 'index.html'));
      expect(await refusal(bytes)).toMatchObject({ code: 'unreadable_archive', file: 'index.html' });
    });
    it('backslashes between folders', async () => {
      const resources = '<resource identifier="r1" type="webcontent" adlcp:scormtype="sco" href="pages/index.html"/>';
      const bytes = await zip(
        { 'imsmanifest.xml': scormManifest({ resources }), 'pages-index.html': 'x' },
        renamed('pages-index.html', 'pages\\index.html'),
      );
      expect(await mended(bytes)).toEqual([['mended', 'pages/index.html', 'One file name used backslashes between folders: pages/index.html.']]);
    });
    it('but not backslashes that lead outside', async () => {
      const bytes = await zip({ 'aa-xx.html': 'x', 'imsmanifest.xml': scormManifest() }, renamed('aa-xx.html', '..\\xx.html'));
      expect(await refusal(bytes)).toMatchObject({ code: 'unsafe_name' });
    });
    it('decomposed names of files that are referred to in composed characters', async () => {
      const resources = '<resource identifier="r1" type="webcontent" adlcp:scormtype="sco" href="Übung.html"/>'.normalize('NFC');
      const bytes = await zip({ 'imsmanifest.xml': scormManifest({ resources }), ['Übung.html'.normalize('NFD')]: 'x' });
      const { manifest, warnings } = await read(bytes);
      expect(warnings).toEqual([]);
      expect((manifest as ScormManifest).activities[0]?.href).toBe(encodeURIComponent('Übung.html'.normalize('NFC')));
    });
    it('UTF-8 that declares UTF-16', async () => {
      const bytes = await course({}, scormManifest().replace('UTF-8', 'UTF-16'));
      expect(await mended(bytes)).toEqual([
        ['mended', 'imsmanifest.xml', '“imsmanifest.xml” declares the encoding UTF-16 but is in UTF-8. It was read as UTF-8.'],
      ]);
    });
    it('UTF-16 without a byte order mark, recognised by its zeros', async () => {
      const manifest = Buffer.from(scormManifest().replace('UTF-8', 'UTF-16'), 'utf16le');
      expect(await mended(await course({}, manifest))).toEqual([]);
      expect(await mended(await course({}, Buffer.from(manifest).swap16()))).toEqual([]);
    });
    it.each([
      [5, 0],
      [0, 3],
      [70_000, 300_000],
    ])('%i bytes before the archive and %i after it', async (before, after) => {
      const bytes = Buffer.concat([Buffer.alloc(before, 'x'), await course(), Buffer.alloc(after, '\n')]);
      expect((await mended(bytes)).map(([code]) => code)).toEqual([before, after].filter((n) => n > 0).map(() => 'mended'));
    });
    it.each([
      ['NUL', '\\u0000'],
      ['half a character', '\\ud800'],
    ])('a title with %s, which no database holds', async (_what, escaped) => {
      const definition = String(h5pFiles()['h5p.json']).replace('Wash your hands', `Wash${escaped} your hands`);
      const { manifest, warnings } = await read(await zip(h5pFiles({ 'h5p.json': definition })), 'h5p');
      expect(manifest.title).toBe('Wash\uFFFD your hands');
      expect(warnings.map((w) => [w.code, w.file])).toEqual([['mended', 'h5p.json']]);
    });
    it.each(['&#0;', '&#xD800;'])('%s in a title of its manifest', async (character) => {
      const items = `<item identifier="one" identifierref="r1"><title>Before${character} you lift</title></item>`;
      const { manifest } = await read(await course({}, scormManifest({ items })));
      expect(JSON.stringify(manifest)).not.toMatch(/\\u0000|\\ud800/i);
    });
  });
});

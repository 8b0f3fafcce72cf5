import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QuestionFile } from '#contract/entities/question-file.ts';
import { readQuestionFile } from '#server/features/content-creator/reading/read-question-file.ts';

/**
 * Questions that real programs wrote: `SAMPLES=folder vitest run …`. They are not part of the project, whose own are in
 * server/features/content-creator/reading/read-question-file.test.ts.
 */
const samples = process.env.SAMPLES;
if (!samples) console.error('Real files of questions are not tested here: SAMPLES names no folder of them.');

type Expected = { file: string; questions?: number; types?: Record<string, number>; categories?: number; resources?: Record<string, number> };
const listed = samples ? (JSON.parse(readFileSync(join(samples, 'authoring', 'expected.json'), 'utf8')) as Expected[]) : [];
const cartridges = listed.filter(({ file }) => file.startsWith('cartridge/'));
const files = listed.filter(({ file }) => /^(gift|qti|moodle-xml)\//.test(file));

const nowhere = 'no counterpart';
/** What must be found for each type: a kind, or part of the reason for its absence. */
const counterparts: Record<string, readonly string[]> = {
  truefalse: ['true_false'],
  multichoice: ['single', 'multiple'],
  shortanswer: ['fill_gap'],
  numerical: ['fill_gap', nowhere],
  matching: ['match', 'same right side'],
  essay: ['free_text'],
  description: ['a text without a question'],
  gapfill: ['fill_gap'],
  gapselect: ['fill_gap'],
  cloze: ['fill_gap'],
  coderunner: [nowhere],
  stack: [nowhere],
  ddmarker: [nowhere],
};
const what = ({ questions }: QuestionFile) => questions.map((q) => q.question?.kind ?? q.why ?? '');

describe.runIf(samples)('real questions of others', () => {
  it.each(files)('$file', async ({ file, questions, types = {}, categories }) => {
    const read = await readQuestionFile({ path: join(samples ?? '', 'authoring', file) });
    expect(read.questions).toHaveLength(questions ?? 0);
    if (categories !== undefined) expect(read.notes.some((n) => n.startsWith('Categories'))).toBe(categories > 0);
    if (file.startsWith('qti/')) return;
    const found = what(read);
    for (const [type, n] of Object.entries(types)) {
      const fits = found.filter((kind) => counterparts[type]?.some((c) => kind.includes(c)));
      expect(fits.length, `${type}: ${found.join(', ')}`).toBeGreaterThanOrEqual(n);
    }
  });
  it.each(cartridges)('$file', async ({ file, resources = {} }) => {
    const read = await readQuestionFile({ path: join(samples ?? '', 'authoring', file) }).catch((error: { fields?: { file: string[] } }) => error);
    const said = 'notes' in read ? read.notes.join(' ') : (read.fields?.file[0] ?? '');
    expect(said).toContain('Common Cartridge');
    for (const [type, words] of [
      ['imswl', 'web link'],
      ['imsdt', 'discussion'],
      ['imsbasiclti', 'tool'],
      ['webcontent', 'page'],
    ] as const) {
      const n = Object.entries(resources).reduce((sum, [name, count]) => (name.startsWith(type) ? sum + count : sum), 0);
      if (n > 0) expect(said).toMatch(new RegExp(`\\b${n} ${words}`));
    }
    if (!Object.keys(resources).some((name) => name.startsWith('imsqti'))) expect('questions' in read).toBe(false);
  });
  it('counts what the list does not', async () => {
    const at = (file: string) => join(samples ?? '', 'authoring', file);
    expect(what(await readQuestionFile({ path: at('gift/GIFT-grammar-PEG.js__shortAnswer2.gift') }))).toEqual(['fill_gap', 'fill_gap']);
    const broken = what(await readQuestionFile({ path: at('qti/extension-tao-itemqti__MalformedItemInTheMiddleXml.zip') }));
    expect(broken).toEqual(['multiple', expect.stringContaining('not well-formed at line 17')]);
  });
  it('refuses what is no file of questions, in words', async () => {
    const hostile = [
      'zip/decompress-slip.zip',
      'zip/kd2-zipbomb_1G.zip',
      'zip/patt-symlink-etc_passwd.zip',
      'zip/moodle-passwordis1.zip',
      'upload/PHP_exif_phpinfo.jpg',
    ];
    for (const file of [
      ...hostile.map((f) => join(samples ?? '', 'security', f)),
      join(samples ?? '', 'authoring/qti/qtiworks__NotContentPackage.zip'),
    ]) {
      if (!existsSync(file)) continue;
      const refusal = await readQuestionFile({ path: file }).catch((error: { fields?: object; problems?: object }) => error);
      expect(('fields' in refusal && refusal.fields) || ('problems' in refusal && refusal.problems), file).toBeTruthy();
    }
  });
});

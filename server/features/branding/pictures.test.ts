import { lookup } from 'node:dns';
import { pbkdf2 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import type { FileStore } from '#server/files/file-store.ts';

/** About 1,000 bytes that are drawn as 4,000 rectangles of the whole picture. */
const hostile = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200"><defs><rect id="a0" width="600" height="200" opacity=".5"/>${Array.from(
    { length: 3 },
    (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(16)}</g>`,
  ).join('')}</defs><use href="#a3"/></svg>`,
);

it('keeps files, names and passwords coming while hostile pictures are drawn', async () => {
  const { reencoded } = createPictures({} as FileStore);
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const pictures = Array.from({ length: 5 }, () => reencoded('signature', hostile).then(note('picture'), note('picture')));
  // They have started: with a single queue, later ones would wait behind them.
  await new Promise((next) => setImmediate(next));
  await Promise.all([
    readFile(new URL(import.meta.url)).then(note('file')),
    promisify(lookup)('127.0.0.1').then(note('name')),
    promisify(pbkdf2)('a', 'b', 1, 16, 'sha256').then(note('password')),
    ...pictures,
  ]);
  expect(done.slice(3)).toEqual(pictures.map(() => 'picture'));
}, 60_000);

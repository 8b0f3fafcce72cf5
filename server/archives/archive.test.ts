import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { openArchive } from '#server/archives/archive.ts';
import { zip } from '#tests/support/archives.ts';

it('reports a damaged file to its reader, even if the damage was found earlier, and stops nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-archive-'));
  // What cannot be compressed is stored as it is.
  const page = randomBytes(400);
  const bytes = await zip({ 'index.html': page }, (b) => {
    const at = b.indexOf(page);
    expect(at).toBeGreaterThan(0);
    b[at] = (b[at] as number) ^ 1;
    return b;
  });
  const path = join(folder, 'course.zip');
  writeFileSync(path, bytes);
  const archive = await openArchive(path);
  const file = archive.files.get('index.html');
  if (!file) throw new Error('there is no file');
  const stream = await archive.open(file);
  // Read to its end before an error listener is attached.
  stream.on('data', () => undefined);
  await new Promise((closed) => stream.on('close', closed));
  await expect(pipeline(stream, new Writable({ write: (_chunk, _encoding, next) => next() }))).rejects.toThrow('“index.html” is damaged');
  archive.close();
  rmSync(folder, { recursive: true });
});

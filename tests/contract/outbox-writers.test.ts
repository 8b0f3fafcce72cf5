import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Import rules protect the outbox's modules; this test protects its table. */
const root = new URL('../../', import.meta.url).pathname;
const writes = /\.outbox\s*\.(add|put|bulkAdd|bulkPut|delete|bulkDelete|update|clear)\b|\.outbox\b[^;]*\.(modify|delete)\(/;
const sources = ['src', 'sw'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.tsx?$/.test(f) && !f.includes('.test.'))
    .map((f) => join(folder, f)),
);

describe('the outbox', () => {
  it('is written by commit() and the engine’s store only', () => {
    const writers = sources.filter((f) => writes.test(readFileSync(join(root, f), 'utf8')));
    expect(
      writers.every((f) => f.startsWith('src/offline/outbox/')),
      writers.join(', '),
    ).toBe(true);
    expect(writers).toContain('src/offline/outbox/commit.ts');
  });
});

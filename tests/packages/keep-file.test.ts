import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepFile, pieceBytes } from '#player/keep-file.ts';

/** A cache and a server with one file, on a line that can break. */
const setting = (bytes: Buffer) => {
  const kept = new Map<string, Blob>();
  const cache = {
    match: async (url: string) => (kept.has(url) ? new Response(kept.get(url)) : undefined),
    put: async (url: string, answer: Response) => void kept.set(url, await answer.blob()),
    delete: async (url: string) => kept.delete(url),
  } as unknown as Cache;
  const asked: string[] = [];
  const line = { breaksAfter: Number.POSITIVE_INFINITY };
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    if (asked.length >= line.breaksAfter) throw new TypeError('the line is gone');
    asked.push(headers.Range ?? 'whole');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.Range ?? '') ?? [null, 0, bytes.length - 1];
    return new Response(new Uint8Array(bytes.subarray(Number(start), Number(end) + 1)), { headers: { 'Content-Type': 'video/mp4' } });
  });
  const hash = createHash('sha256').update(bytes).digest('hex');
  let told = 0;
  const keep = (as = hash) => keepFile(cache, { url: '/film.mp4', hash: as, bytes: bytes.length }, new AbortController().signal, (n) => (told += n));
  return { kept, asked, line, keep, told: () => told };
};
afterEach(() => vi.unstubAllGlobals());

describe('a large file of a package', () => {
  const film = randomBytes(pieceBytes * 3 + 5);

  it('goes on where the line broke, and is one file in the end', async () => {
    const { kept, asked, line, keep, told } = setting(film);
    line.breaksAfter = 2;
    await expect(keep()).rejects.toMatchObject({ why: 'unreachable' });
    line.breaksAfter = Number.POSITIVE_INFINITY;
    asked.length = 0;
    await keep();
    expect(asked).toEqual([`bytes=${2 * pieceBytes}-${3 * pieceBytes - 1}`, `bytes=${3 * pieceBytes}-${film.length - 1}`]);
    expect([...kept.keys()]).toEqual(['/film.mp4']);
    expect(Buffer.from((await kept.get('/film.mp4')?.arrayBuffer()) as ArrayBuffer).equals(film)).toBe(true);
    expect(kept.get('/film.mp4')?.type).toBe('video/mp4');
    expect(told()).toBe(2 * pieceBytes + film.length);
    asked.length = 0;
    await keep();
    expect(asked).toEqual([]);
  });

  it('that is not what the package names is not kept, nor are its pieces', async () => {
    const { kept, keep } = setting(film);
    await expect(keep('0'.repeat(64))).rejects.toMatchObject({ why: 'damaged' });
    expect(kept.size).toBe(0);
  });

  it('that has a damaged piece is begun again with that piece', async () => {
    const { kept, line, keep } = setting(film);
    line.breaksAfter = 2;
    await expect(keep()).rejects.toMatchObject({ why: 'unreachable' });
    line.breaksAfter = Number.POSITIVE_INFINITY;
    kept.set('/film.mp4?piece=0', new Blob(['half']));
    await expect(keep()).rejects.toMatchObject({ why: 'unreachable' });
    await keep();
    expect([...kept.keys()]).toEqual(['/film.mp4']);
  });
});

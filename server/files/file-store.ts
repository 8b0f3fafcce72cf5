import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Files by the hash of their bytes, on disk. The same bytes are stored once; a file never changes. */
export const createFileStore = (folder: string) => {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  return {
    /** Stores bytes and returns their SHA-256 in hex. Flushed before it returns. */
    put: async (bytes: Uint8Array): Promise<string> => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const path = pathOf(hash);
      if (await stat(path).catch(() => null)) return hash;
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${process.pid}.part`;
      await writeFile(draft, bytes);
      const handle = await open(draft, 'r+');
      await handle.sync();
      await handle.close();
      await rename(draft, path);
      return hash;
    },
    /** Stores what flows, without holding it in memory. Throws what the stream throws; then nothing is stored. */
    putStream: async (source: Readable): Promise<{ hash: string; bytes: number }> => {
      await mkdir(folder, { recursive: true });
      const draft = join(folder, `${randomUUID()}.part`);
      const hasher = createHash('sha256');
      let bytes = 0;
      source.on('data', (chunk: Buffer) => {
        hasher.update(chunk);
        bytes += chunk.length;
      });
      try {
        await pipeline(source, createWriteStream(draft, { flush: true }));
        const hash = hasher.digest('hex');
        const path = pathOf(hash);
        if (!(await stat(path).catch(() => null))) {
          await mkdir(dirname(path), { recursive: true });
          await rename(draft, path);
        }
        return { hash, bytes };
      } finally {
        await rm(draft, { force: true });
      }
    },
    /** A small file whole, or null where there is none. */
    get: (hash: string): Promise<Buffer | null> => readFile(pathOf(hash)).catch(() => null),
    size: async (hash: string): Promise<number | null> => (await stat(pathOf(hash)).catch(() => null))?.size ?? null,
    /** The SHA-256 of each piece of so many bytes, in order. */
    pieceHashes: async (hash: string, pieceBytes: number): Promise<string[]> => {
      const hashes: string[] = [];
      const file = await open(pathOf(hash), 'r');
      try {
        const { size } = await file.stat();
        const piece = Buffer.alloc(pieceBytes);
        for (let at = 0; at < size; ) {
          const wanted = Math.min(pieceBytes, size - at);
          let filled = 0;
          while (filled < wanted) filled += (await file.read(piece, filled, wanted - filled, at + filled)).bytesRead || wanted;
          hashes.push(createHash('sha256').update(piece.subarray(0, wanted)).digest('hex'));
          at += wanted;
        }
      } finally {
        await file.close();
      }
      return hashes;
    },
    /** Bytes from `start` to `end`, both inclusive. */
    read: (hash: string, range?: { start: number; end: number }) => createReadStream(pathOf(hash), range),
  };
};
export type FileStore = ReturnType<typeof createFileStore>;

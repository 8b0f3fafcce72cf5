import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { draftEnd, draftsFolder } from '#server/files/leftovers.ts';

/** Files by the SHA-256 (hex) of their bytes. Identical files are stored once; a file is immutable. */
export type FileStore = {
  /** Stores bytes durably and returns their hash. */
  put(bytes: Uint8Array): Promise<string>;
  /** Stores a stream without holding it in memory. If the stream fails, nothing is stored and its error is thrown. */
  putStream(source: Readable): Promise<{ hash: string; bytes: number }>;
  /** Reads a small file, or null. */
  get(hash: string): Promise<Buffer | null>;
  /** Size in bytes, or null if there is none. */
  size(hash: string): Promise<number | null>;
  /** Hashes of the consecutive pieces of this size. */
  pieceHashes(hash: string, pieceBytes: number): Promise<string[]>;
  /** Bytes from `start` to `end`, both inclusive. */
  read(hash: string, range?: { start: number; end: number }): Readable;
};

/** Where files are without object storage. */
export const filesFolder = (dataFolder: string): string => join(dataFolder, 'files');

/** Opens object storage or a folder next to the database, as configured. */
export const openFileStore = async ({ DATA_DIR, FILES_URL }: { DATA_DIR: string; FILES_URL?: string | undefined }): Promise<FileStore> =>
  FILES_URL === undefined
    ? createFileStore(filesFolder(DATA_DIR))
    : (await import('#server/files/s3-file-store.ts')).openS3FileStore(FILES_URL, draftsFolder(DATA_DIR));

export const createFileStore = (folder: string): FileStore => {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const newDraft = () => join(folder, `${randomUUID()}${draftEnd}`);
  return {
    put: async (bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const path = pathOf(hash);
      if (await stat(path).catch(() => null)) return hash;
      await mkdir(dirname(path), { recursive: true });
      const draft = newDraft();
      try {
        await writeFile(draft, bytes, { flush: true });
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
      return hash;
    },
    putStream: async (source) => {
      await mkdir(folder, { recursive: true });
      const draft = newDraft();
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
    get: (hash) => readFile(pathOf(hash)).catch(() => null),
    size: async (hash) => (await stat(pathOf(hash)).catch(() => null))?.size ?? null,
    pieceHashes: async (hash, pieceBytes) => {
      const hashes: string[] = [];
      const file = await open(pathOf(hash), 'r');
      try {
        const { size } = await file.stat();
        const piece = Buffer.alloc(pieceBytes);
        for (let at = 0; at < size; ) {
          const expectedBytes = Math.min(pieceBytes, size - at);
          let filled = 0;
          while (filled < expectedBytes) filled += (await file.read(piece, filled, expectedBytes - filled, at + filled)).bytesRead || expectedBytes;
          hashes.push(createHash('sha256').update(piece.subarray(0, expectedBytes)).digest('hex'));
          at += expectedBytes;
        }
      } finally {
        await file.close();
      }
      return hashes;
    },
    // Readers get their errors; without a reader, errors are ignored.
    read: (hash, range) => createReadStream(pathOf(hash), range).on('error', () => undefined),
  };
};

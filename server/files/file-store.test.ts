import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileStore, openFileStore } from '#server/files/file-store.ts';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const whole = async (stream: Readable) => Buffer.concat(await stream.toArray());

/** An object storage server that knows these credentials. */
const startStorage = async (directory: string) => {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'lantern', configs: [] }] });
  const { port } = (await server.run()) as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() as unknown as Promise<void> };
};

describe.each(['on disk', 'in object storage'] as const)('files %s', (where) => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-files-'));
  let store: FileStore;
  let stop: () => Promise<unknown> = async () => undefined;
  let address = '';
  beforeAll(async () => {
    if (where === 'in object storage') {
      const storage = await startStorage(join(folder, 'objects'));
      stop = storage.stop;
      address = `s3://lantern/files?endpoint=${storage.endpoint}`;
    }
    store = await openFileStore({ DATA_DIR: folder, FILES_URL: address || undefined });
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are stored once by their hash, from bytes or a stream', async () => {
    const bytes = randomBytes(300_000);
    expect(await store.put(bytes)).toBe(hashOf(bytes));
    expect(await store.putStream(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]))).toEqual({
      hash: hashOf(bytes),
      bytes: bytes.length,
    });
    expect(await store.size(hashOf(bytes))).toBe(bytes.length);
    expect((await store.get(hashOf(bytes)))?.equals(bytes)).toBe(true);
    expect((await whole(store.read(hashOf(bytes)))).equals(bytes)).toBe(true);
  });

  it('can be stored several times at once', async () => {
    const bytes = randomBytes(300_000);
    const hashes = await Promise.all(Array.from({ length: 8 }, () => store.put(bytes)));
    expect(new Set(hashes)).toEqual(new Set([hashOf(bytes)]));
    expect((await store.get(hashOf(bytes)))?.equals(bytes)).toBe(true);
    expect(readdirSync(folder, { recursive: true }).filter((f) => String(f).endsWith('.part'))).toEqual([]);
  });

  it('are read in ranges and hashed in pieces', async () => {
    const bytes = randomBytes(250_001);
    const { hash } = await store.putStream(Readable.from([bytes]));
    expect((await whole(store.read(hash, { start: 100, end: 199 }))).equals(bytes.subarray(100, 200))).toBe(true);
    expect((await whole(store.read(hash, { start: 250_000, end: 250_000 }))).equals(bytes.subarray(250_000))).toBe(true);
    const pieces = [0, 100_000, 200_000].map((at) => hashOf(bytes.subarray(at, at + 100_000)));
    expect(await store.pieceHashes(hash, 100_000)).toEqual(pieces);
  });

  it('that do not exist are null; an empty file exists', async () => {
    const missing = hashOf(Buffer.from('nobody has this'));
    expect([await store.size(missing), await store.get(missing)]).toEqual([null, null]);
    await expect(whole(store.read(missing))).rejects.toThrow();
    const empty = await store.put(Buffer.alloc(0));
    expect([await store.size(empty), (await store.get(empty))?.length]).toEqual([0, 0]);
  });

  it('whose stream fails are not stored and leave nothing behind', async () => {
    const half = Readable.from(
      (async function* () {
        yield Buffer.from('half of it');
        throw new Error('the line broke');
      })(),
    );
    await expect(store.putStream(half)).rejects.toThrow('the line broke');
    const left = readdirSync(folder, { recursive: true }).filter((f) => String(f).endsWith('.part'));
    expect(left).toEqual([]);
  });
});

it('unusable object storage is reported at the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-files-'));
  const storage = await startStorage(join(folder, 'objects'));
  const open = (address: string) => openFileStore({ DATA_DIR: folder, FILES_URL: address });
  await expect(open(`s3://nobodys/files?endpoint=${storage.endpoint}`)).rejects.toThrow('FILES_URL names the bucket “nobodys”');
  await storage.stop();
  rmSync(folder, { recursive: true, force: true });
});

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, HeadBucketCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { FileStore } from '#server/files/file-store.ts';
import { draftEnd } from '#server/files/leftovers.ts';

/** Parses `s3://bucket/prefix?endpoint=https://storage.example.org&region=eu-west-2`. Credentials are found as by the AWS tools. */
const placeOf = (address: string) => {
  const url = new URL(address);
  const endpoint = url.searchParams.get('endpoint');
  return {
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: endpoint === null ? undefined : endpoint,
  };
};
const isMissing = (error: unknown): boolean => {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === 404 || ['NotFound', 'NoSuchKey'].includes((error as Error).name);
};

/** Files by the SHA-256 of their bytes in S3-compatible object storage. Streams are stored in `drafts` until their hash is known. */
export const openS3FileStore = async (address: string, drafts: string): Promise<FileStore> => {
  const { bucket, prefix, region, endpoint } = placeOf(address);
  // Other providers than Amazon rarely have a host per bucket, and do not support its checksums.
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: Error) => {
    throw new Error(
      `The files cannot be reached: FILES_URL names the bucket “${bucket}”${endpoint ? ` at ${endpoint}` : ''}, which answers ${error.name}.`,
    );
  });
  const place = (hash: string) => ({ Bucket: bucket, Key: [prefix, hash.slice(0, 2), hash].filter(Boolean).join('/') });
  const size = (hash: string): Promise<number | null> =>
    client.send(new HeadObjectCommand(place(hash))).then(
      (found) => found.ContentLength ?? 0,
      (error) => {
        if (isMissing(error)) return null;
        throw error;
      },
    );
  const fetched = async (hash: string, range?: { start: number; end: number }): Promise<Readable> => {
    const answer = await client.send(new GetObjectCommand({ ...place(hash), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }));
    return answer.Body as Readable;
  };
  return {
    put: async (bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if ((await size(hash)) === null) await client.send(new PutObjectCommand({ ...place(hash), Body: bytes, ContentLength: bytes.length }));
      return hash;
    },
    putStream: async (source) => {
      await mkdir(drafts, { recursive: true });
      const draft = join(drafts, `${randomUUID()}${draftEnd}`);
      const hasher = createHash('sha256');
      let bytes = 0;
      source.on('data', (chunk: Buffer) => {
        hasher.update(chunk);
        bytes += chunk.length;
      });
      try {
        await pipeline(source, createWriteStream(draft));
        const hash = hasher.digest('hex');
        if ((await size(hash)) === null)
          await client.send(new PutObjectCommand({ ...place(hash), Body: createReadStream(draft), ContentLength: bytes }));
        return { hash, bytes };
      } finally {
        await rm(draft, { force: true });
      }
    },
    get: async (hash) => {
      try {
        return Buffer.concat(await (await fetched(hash)).toArray());
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    size,
    pieceHashes: async (hash, pieceBytes) => {
      const hashes: string[] = [];
      let piece = createHash('sha256');
      let filled = 0;
      for await (const chunk of (await fetched(hash)) as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; ) {
          const part = chunk.subarray(at, at + pieceBytes - filled);
          piece.update(part);
          filled += part.length;
          at += part.length;
          if (filled === pieceBytes) {
            hashes.push(piece.digest('hex'));
            piece = createHash('sha256');
            filled = 0;
          }
        }
      }
      if (filled > 0) hashes.push(piece.digest('hex'));
      return hashes;
    },
    read: (hash, range) =>
      Readable.from(
        (async function* () {
          yield* await fetched(hash, range);
        })(),
        { objectMode: false },
      ).on('error', () => undefined),
  };
};

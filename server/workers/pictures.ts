import { availableParallelism } from 'node:os';
import type { EvidenceType } from '#contract/evidence-kinds.ts';
import type { Size } from '#server/pictures/decode.ts';
import { ProductError } from '#server/product-error.ts';
import { createWorkerPool, WorkerLimitError } from '#server/workers/worker-pool.ts';

/**
 * Decodes uploaded pictures in processes: the library would use the threads that read files, thread memory limits do not apply to
 * it, and it could not be stopped. A picture that takes too long or too much memory is treated as undecodable.
 */
const pool = createWorkerPool({
  module: new URL('./picture-process.ts', import.meta.url),
  kind: 'processes',
  // At least two: one that somebody keeps busy for its whole time must not make others wait.
  workers: Math.max(2, Math.min(4, availableParallelism() - 1)),
  memoryMb: 1536,
  waiting: 50,
  idleMs: 60_000,
});
/** CPU time in ms. A photograph of 100 megapixels takes 1 to 5 s, a logo less than one. */
const mostMs = { photograph: 25_000, branding: 10_000 };

/** Returns `none` if the picture reaches a limit. Throws `unavailable` if the queue is full. */
const decode = async <T>(task: string, input: object, timeMs: number, none: T): Promise<T> => {
  try {
    return await pool.run<T>(task, input, timeMs);
  } catch (error) {
    if (!(error instanceof WorkerLimitError)) throw error;
    if (error.limit === 'busy') throw new ProductError('unavailable');
    return none;
  }
};

/** Re-encodes a picture as PNG within this size; null if it cannot be decoded. */
export const reencodedPicture = (bytes: Buffer, size: Size) => decode<Uint8Array | null>('reencoded', { bytes, size }, mostMs.branding, null);
export type Icons = Record<'small' | 'large' | 'maskable', Uint8Array>;
/** The icons of the installed app, from a re-encoded picture. */
export const iconsOfPicture = (bytes: Uint8Array, background: string) => decode<Icons | null>('icons', { bytes, background }, mostMs.branding, null);
/** Re-encodes a photographed page as JPEG; null if it cannot be decoded. */
export const scannedPicture = (bytes: Buffer) => decode<Uint8Array | null>('scanned', { bytes }, mostMs.photograph, null);
/** Scales a picture of a course and re-encodes it as WebP; null if it cannot be decoded. */
export const illustration = (bytes: Buffer) => decode<Uint8Array | null>('illustrated', { bytes }, mostMs.photograph, null);
/** The type of an evidence file, and the re-encoded bytes to store if it is not stored unchanged. */
export const inspectEvidence = (bytes: Buffer) =>
  decode<{ type: EvidenceType | null; instead: Uint8Array | null }>('inspected', { bytes }, mostMs.photograph, { type: null, instead: null });

import { availableParallelism } from 'node:os';
import type { EvidenceType } from '#contract/evidence-kinds.ts';
import type { Size } from '#server/pictures/decode.ts';
import { ProductError } from '#server/http/product-error.ts';
import { createWorkerPool, WorkerLimitError } from '#server/workers/worker-pool.ts';

/**
 * Decoding of uploaded pictures, in processes: the library would compute in the threads that read every file for everybody, no
 * limit of a thread's memory holds for it, and nothing ends it there. A picture that takes too long or too much memory is
 * treated as one that cannot be decoded.
 */
const pool = createWorkerPool({
  module: new URL('./picture-process.ts', import.meta.url),
  kind: 'processes',
  workers: Math.max(1, Math.min(4, availableParallelism() - 1)),
  memoryMb: 1536,
  waiting: 50,
  idleMs: 60_000,
});
/** Computing time. A photograph of 100 megapixels takes 1 to 5 s of it, a logo less than one. */
const mostMs = { photograph: 25_000, branding: 10_000 };

/** Answers `none` where the picture reaches a limit. Throws `unavailable` where too many others wait. */
const decode = async <T>(task: string, input: object, timeMs: number, none: T): Promise<T> => {
  try {
    return await pool.run<T>(task, input, timeMs);
  } catch (error) {
    if (!(error instanceof WorkerLimitError)) throw error;
    if (error.limit === 'busy') throw new ProductError('unavailable');
    return none;
  }
};

/** The picture as PNG within this size; null for what cannot be decoded. */
export const redrawnPicture = (bytes: Buffer, size: Size) => decode<Uint8Array | null>('redrawn', { bytes, size }, mostMs.branding, null);
export type Icons = Record<'small' | 'large' | 'maskable', Uint8Array>;
/** The icons of the installed app, of a picture that was redrawn. */
export const iconsOfPicture = (bytes: Uint8Array, background: string) => decode<Icons | null>('icons', { bytes, background }, mostMs.branding, null);
/** A photographed page as JPEG; null for what cannot be decoded. */
export const scannedPicture = (bytes: Buffer) => decode<Uint8Array | null>('scanned', { bytes }, mostMs.photograph, null);
/** What a file of evidence is, and what is kept in its place where it is not kept as it came. */
export const lookAtEvidence = (bytes: Buffer) =>
  decode<{ type: EvidenceType | null; instead: Uint8Array | null }>('lookedAt', { bytes }, mostMs.photograph, { type: null, instead: null });

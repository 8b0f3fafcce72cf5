import sharp from 'sharp';
import type { EvidenceType } from '#contract/evidence-kinds.ts';
import { evidenceTypeOf, isBareJpeg } from '#server/features/care-certificates/evidence-bytes.ts';

/** Decoding of what people upload as pictures. Runs only in a process of its own (server/workers/picture-process.ts), which may be ended at any moment. */

// One picture at a time, and nothing is kept of it.
sharp.concurrency(1);
sharp.cache(false);

export type Size = { width: number; height: number };
const brandFormats = ['png', 'jpeg', 'webp', 'gif', 'svg'];
const mostBrandPixels = 40_000_000;
const clear = { r: 0, g: 0, b: 0, alpha: 0 };
/** The part of an icon that devices may cut to any shape keeps this share free on each side. */
const maskedMargin = 0.1;

/** Re-encodes a picture as PNG: nothing of the file that came is handed on. A drawing (SVG) becomes a picture too. Null for what is none. */
export const redrawn = async (bytes: Buffer, { width, height }: Size): Promise<Buffer | null> => {
  const open = () => sharp(bytes, { limitInputPixels: mostBrandPixels, failOn: 'error', density: 200 });
  try {
    const { format } = await open().metadata();
    if (!brandFormats.includes(format ?? '')) return null;
    return await open()
      .rotate()
      .resize({ width, height, fit: 'inside', withoutEnlargement: format !== 'svg' })
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    return null;
  }
};

const icon = (drawn: Buffer, side: number, margin: number, background: string | typeof clear) => {
  const inner = Math.round(side * (1 - 2 * margin));
  const pad = Math.floor((side - inner) / 2);
  return sharp(drawn)
    .resize({ width: inner, height: inner, fit: 'contain', background: clear })
    .extend({ top: pad, left: pad, bottom: side - inner - pad, right: side - inner - pad, background: clear })
    .flatten(background === clear ? false : { background })
    .png({ compressionLevel: 9 })
    .toBuffer();
};
/** The icons of the installed app, of a picture that has been re-encoded. */
export const iconsOf = async (drawn: Buffer, background: string) => ({
  small: await icon(drawn, 192, 0, clear),
  large: await icon(drawn, 512, 0, clear),
  maskable: await icon(drawn, 512, maskedMargin, background),
});

const mostPhotoPixels = 100_000_000;
const photo = (bytes: Buffer) => sharp(bytes, { limitInputPixels: mostPhotoPixels, failOn: 'error' });
/** Enough to read a photographed page. */
const longestSide = 2400;
const scanFormats = ['png', 'jpeg', 'webp'];
/** A photographed page as JPEG, without anything a camera adds. Null for what is no picture. */
export const scanned = async (bytes: Buffer): Promise<Buffer | null> => {
  try {
    if (!scanFormats.includes((await photo(bytes).metadata()).format ?? '')) return null;
    return await photo(bytes)
      .rotate()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 85 })
      .toBuffer();
  } catch {
    return null;
  }
};

const thumb = 32;
/**
 * What a file of evidence is (null for what cannot be opened), and the bytes to keep in its place: a picture that comes with
 * anything else is re-encoded, which drops all of it.
 */
export const lookedAt = async (bytes: Buffer): Promise<{ type: EvidenceType | null; instead: Buffer | null }> => {
  const type = evidenceTypeOf(bytes);
  if (type !== 'image/jpeg') return { type, instead: null };
  try {
    await photo(bytes).resize(thumb, thumb, { fit: 'inside' }).toBuffer();
    return { type, instead: isBareJpeg(bytes) ? null : await photo(bytes).rotate().jpeg({ quality: 85 }).toBuffer() };
  } catch {
    return { type: null, instead: null };
  }
};

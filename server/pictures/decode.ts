import sharp from 'sharp';
import type { EvidenceType } from '#contract/evidence-kinds.ts';
import { evidenceTypeOf, isBareJpeg } from '#server/features/care-certificates/evidence-bytes.ts';

/** Decodes uploaded pictures. Runs only in its own process (server/workers/picture-process.ts), which may be killed at any moment. */

// One picture at a time, without a cache.
sharp.concurrency(1);
sharp.cache(false);

export type Size = { width: number; height: number };
const brandFormats = ['png', 'jpeg', 'webp', 'gif', 'svg'];
const mostBrandPixels = 40_000_000;
const clear = { r: 0, g: 0, b: 0, alpha: 0 };
/** Margin of a maskable icon, as a share of each side. */
const maskedMargin = 0.1;

/** Re-encodes a picture or SVG as PNG, so that nothing of the uploaded file is passed on. Null if it is not a picture. */
export const reencoded = async (bytes: Buffer, { width, height }: Size): Promise<Buffer | null> => {
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
/** The icons of the installed app, from a re-encoded picture. */
export const iconsOf = async (drawn: Buffer, background: string) => ({
  small: await icon(drawn, 192, 0, clear),
  large: await icon(drawn, 512, 0, clear),
  maskable: await icon(drawn, 512, maskedMargin, background),
});

const mostPhotoPixels = 100_000_000;
const photo = (bytes: Buffer) => sharp(bytes, { limitInputPixels: mostPhotoPixels, failOn: 'error' });
/** Enough to read a photographed page, in pixels. */
const longestSide = 2400;
const scanFormats = ['png', 'jpeg', 'webp'];
/** Re-encodes a photographed page as JPEG without metadata. Null if it is not a picture. */
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

/** Wide enough for a picture across the widest page, in pixels. */
const illustrationSide = 1600;
/** Scales a picture of a course, without metadata, as WebP. Null if it is not a picture. */
export const illustrated = async (bytes: Buffer): Promise<Buffer | null> => {
  const open = () => sharp(bytes, { limitInputPixels: mostPhotoPixels, failOn: 'error', density: 200 });
  try {
    const { format } = await open().metadata();
    if (!brandFormats.includes(format ?? '')) return null;
    return await open()
      .rotate()
      .resize({ width: illustrationSide, height: illustrationSide, fit: 'inside', withoutEnlargement: format !== 'svg' })
      .webp({ quality: 82, smartSubsample: true })
      .toBuffer();
  } catch {
    return null;
  }
};

const thumb = 32;
/**
 * The type of an evidence file (null if it cannot be opened), and the bytes to store instead: a picture with metadata or trailing
 * data is re-encoded, which removes them.
 */
export const inspected = async (bytes: Buffer): Promise<{ type: EvidenceType | null; instead: Buffer | null }> => {
  const type = evidenceTypeOf(bytes);
  if (type !== 'image/jpeg') return { type, instead: null };
  try {
    await photo(bytes).resize(thumb, thumb, { fit: 'inside' }).toBuffer();
    return { type, instead: isBareJpeg(bytes) ? null : await photo(bytes).rotate().jpeg({ quality: 85 }).toBuffer() };
  } catch {
    return { type: null, instead: null };
  }
};

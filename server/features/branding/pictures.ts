import sharp from 'sharp';
import type { BrandPicture } from '#contract/entities/whitelabel.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { BrandIcons } from '#server/features/branding/brand-of.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { invalid } from '#server/http/product-error.ts';

const kinds = ['png', 'jpeg', 'webp', 'gif', 'svg'];
/** Pixels. More than twice what any screen shows of it. */
const sizes: Record<BrandPicture | 'signature', { width: number; height: number }> = {
  logo: { width: 640, height: 160 },
  loginLogo: { width: 960, height: 320 },
  favicon: { width: 512, height: 512 },
  signature: { width: 600, height: 200 },
};
const mostPixels = 40_000_000;
const clear = { r: 0, g: 0, b: 0, alpha: 0 };
/** The part of an icon that devices may cut to any shape keeps this share free on each side. */
const maskedMargin = 0.1;

const open = (bytes: Buffer) => sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', density: 200 });

/** Draws a picture anew as PNG: nothing of the file that came is handed on. A drawing (SVG) becomes a picture too. */
const redrawn = async (field: string, bytes: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> => {
  const refused = () => invalid(field, 'This is no picture that can be used. Choose a PNG, JPEG, WebP, GIF or SVG file of up to 40 megapixels.');
  const { format } = await open(bytes)
    .metadata()
    .catch(() => {
      throw refused();
    });
  if (!kinds.includes(format ?? '')) throw refused();
  return open(bytes)
    .rotate()
    .resize({ width, height, fit: 'inside', withoutEnlargement: format !== 'svg' })
    .png({ compressionLevel: 9 })
    .toBuffer()
    .catch(() => {
      throw refused();
    });
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

/** Keeps pictures of brandings; each is known by the hash of its bytes and never changes. */
export const createPictures = (files: FileStore) => {
  const keep = async (tx: Db, bytes: Buffer): Promise<string> => {
    const hash = await files.put(bytes);
    await tx.run(sql`insert into brand_pictures (hash, bytes) values (${hash}, ${bytes.length}) on conflict do nothing`);
    return `/api/whitelabel/pictures/${hash}.png`;
  };
  return {
    /** Answers its address. */
    keepPicture: async (tx: Db, field: BrandPicture | 'signature', bytes: Buffer): Promise<string> =>
      keep(tx, await redrawn(field, bytes, sizes[field])),
    /** The same picture as the icon of the installed app. */
    keepIcons: async (tx: Db, bytes: Buffer, background: string): Promise<BrandIcons> => {
      const drawn = await redrawn('favicon', bytes, sizes.favicon);
      return {
        small: await keep(tx, await icon(drawn, 192, 0, clear)),
        large: await keep(tx, await icon(drawn, 512, 0, clear)),
        maskable: await keep(tx, await icon(drawn, 512, maskedMargin, background)),
      };
    },
    /** The bytes of a picture by its address; null where there is none. */
    bytesOf: async (address: string | null): Promise<Buffer | null> => {
      const hash = /([0-9a-f]{64})\.png$/.exec(address ?? '')?.[1];
      return hash ? files.get(hash) : null;
    },
    /** The same for a signature that has just been chosen. */
    redrawn: (field: 'signature', bytes: Buffer) => redrawn(field, bytes, sizes[field]),
  };
};

import type { BrandPicture } from '#contract/entities/whitelabel.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { BrandIcons } from '#server/features/branding/branding.rows.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { iconsOfPicture, reencodedPicture } from '#server/workers/pictures.ts';

/** In pixels: more than twice the largest size shown on any screen. */
const sizes: Record<BrandPicture | 'signature', { width: number; height: number }> = {
  logo: { width: 640, height: 160 },
  loginLogo: { width: 960, height: 320 },
  favicon: { width: 512, height: 512 },
  signature: { width: 600, height: 200 },
};

/** A picture that has been re-encoded and stored, to be saved with the row that refers to it. */
export type DrawnPicture = { hash: string; png: Uint8Array };
export type DrawnIcons = Record<keyof BrandIcons, DrawnPicture>;

/**
 * Branding pictures, identified by the hash of their bytes; they never change. Re-encoding is slow and comes first;
 * saving the result belongs in the transaction of the row that refers to it.
 */
export const createPictures = (files: FileStore) => {
  const reencoded = async (field: BrandPicture | 'signature', bytes: Buffer): Promise<Buffer> => {
    const drawn = bytes.length > 0 ? await reencodedPicture(bytes, sizes[field]) : null;
    if (!drawn) throw invalid(field, 'This picture cannot be used. Choose a PNG, JPEG, WebP, GIF or SVG file of up to 40 megapixels.');
    return Buffer.from(drawn);
  };
  const stored = async (png: Uint8Array): Promise<DrawnPicture> => ({ hash: await files.put(png), png });
  const keep = async (tx: Db, { hash, png }: DrawnPicture): Promise<string> => {
    await tx.run(sql`insert into brand_pictures (hash, bytes) values (${hash}, ${png.length}) on conflict do nothing`);
    return `/api/whitelabel/pictures/${hash}.png`;
  };
  return {
    draw: async (field: BrandPicture | 'signature', bytes: Buffer) => stored(await reencoded(field, bytes)),
    /** The picture as the icon of the installed app. */
    drawIcons: async ({ png }: DrawnPicture, background: string): Promise<DrawnIcons> => {
      const icons = await iconsOfPicture(png, background);
      if (!icons) throw new ProductError('unavailable');
      return { small: await stored(icons.small), large: await stored(icons.large), maskable: await stored(icons.maskable) };
    },
    /** Returns its URL. */
    keep,
    keepIcons: async (tx: Db, { small, large, maskable }: DrawnIcons): Promise<BrandIcons> => ({
      small: await keep(tx, small),
      large: await keep(tx, large),
      maskable: await keep(tx, maskable),
    }),
    /** The bytes of a picture by its URL, or null. */
    bytesOf: async (address: string | null): Promise<Buffer | null> => {
      const hash = /([0-9a-f]{64})\.png$/.exec(address ?? '')?.[1];
      return hash ? files.get(hash) : null;
    },
    /** The same for a signature that has not been saved yet. */
    reencoded: (field: 'signature', bytes: Buffer) => reencoded(field, bytes),
  };
};

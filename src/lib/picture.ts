import { toHex } from '#contract/rules/bytes.ts';

/** Pictures are re-encoded, which removes camera metadata (location, time, device). */
export class PictureRefused extends Error {
  readonly reason: 'unreadable' | 'too-large';
  constructor(reason: PictureRefused['reason'], options?: ErrorOptions) {
    super(reason === 'too-large' ? 'This picture is too large.' : 'This file cannot be opened as a picture.', options);
    this.reason = reason;
  }
}

/** Sufficient to read a page and to see hands at work. */
const longestSide = 1920;
const mostPixels = 50_000_000;
const quality = 0.82;

const sizeOf = async (url: string): Promise<{ width: number; height: number }> => {
  const image = new Image();
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = () => failed(new PictureRefused('unreadable'));
    image.src = url;
  });
  return { width: image.naturalWidth, height: image.naturalHeight };
};

const surface = (width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] => {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return [canvas, canvas.getContext('2d') as CanvasRenderingContext2D];
};
const asJpeg = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new PictureRefused('unreadable'))), 'image/jpeg', quality));

/** Scales down, rotates upright and re-encodes a picture. Throws PictureRefused if it is not a picture or exceeds 50 megapixels. */
export const reencoded = async (file: Blob): Promise<Blob> => {
  const url = URL.createObjectURL(file);
  try {
    // The size is checked before decoding: 100 megapixels would exhaust the device's memory.
    const { width, height } = await sizeOf(url);
    if (width === 0 || height === 0) throw new PictureRefused('unreadable');
    if (width * height > mostPixels) throw new PictureRefused('too-large');
    const scale = Math.min(1, longestSide / Math.max(width, height));
    const [resizeWidth, resizeHeight] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const bitmap = await createImageBitmap(file, { resizeWidth, resizeHeight, resizeQuality: 'medium' }).catch((error: unknown) => {
      throw new PictureRefused('unreadable', { cause: error });
    });
    const [canvas, context] = surface(resizeWidth, resizeHeight);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, resizeWidth, resizeHeight);
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    return await asJpeg(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** The part of a picture in this frame, in its pixels, re-encoded. */
export const cropped = async (picture: Blob, { x, y, width, height }: { x: number; y: number; width: number; height: number }): Promise<Blob> => {
  const bitmap = await createImageBitmap(picture);
  const [canvas, context] = surface(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  context.drawImage(bitmap, x, y, width, height, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return asJpeg(canvas);
};

/** A point in a picture, as fractions of its width and height. */
export type Spot = { x: number; y: number };
const spotShare = 0.09;
const coarse = 9;
/** The radius of a covered area, in pixels of the picture. */
export const spotRadius = ({ width, height }: { width: number; height: number }): number => Math.max(24, Math.min(width, height) * spotShare);

/** Pixelates these areas of a picture beyond recognition. */
export const drawHidden = (canvas: HTMLCanvasElement, picture: ImageBitmap, spots: readonly Spot[]): void => {
  const { width, height } = picture;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(picture, 0, 0);
  const radius = spotRadius(picture);
  const [tiny, small] = surface(coarse, coarse);
  for (const { x, y } of spots) {
    const [left, top, side] = [x * width - radius, y * height - radius, radius * 2];
    small.drawImage(canvas, left, top, side, side, 0, 0, coarse, coarse);
    context.save();
    context.beginPath();
    context.arc(x * width, y * height, radius, 0, Math.PI * 2);
    context.clip();
    context.imageSmoothingEnabled = false;
    context.drawImage(tiny, 0, 0, coarse, coarse, left, top, side, side);
    context.restore();
  }
};
export const hiddenPicture = async (picture: ImageBitmap, spots: readonly Spot[]): Promise<Blob> => {
  const [canvas] = surface(picture.width, picture.height);
  drawHidden(canvas, picture, spots);
  return asJpeg(canvas);
};

/** A file's bytes as base64, and their SHA-256 hash in hex. */
export const bytesOf = async (blob: Blob): Promise<{ data: string; hash: string; bytes: number }> => {
  const buffer = await blob.arrayBuffer();
  const url = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
  return { data: url.slice(url.indexOf(',') + 1), hash: toHex(await crypto.subtle.digest('SHA-256', buffer)), bytes: buffer.byteLength };
};

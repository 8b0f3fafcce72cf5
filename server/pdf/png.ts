import { deflateSync, inflateSync } from 'node:zlib';

/** A picture as PDFs store it: three bytes a pixel, and the opacity of each. Compressed. */
export type Pixels = { width: number; height: number; colours: Buffer; opacity: Buffer | null };

const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const nearest = (a: number, b: number, c: number) => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};
/** Reverses the PNG row filters: differences to the previous pixel, the row above, or both. */
const unfiltered = (data: Buffer, rowBytes: number, height: number, step: number): Buffer => {
  const out = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (rowBytes + 1)] as number;
    const from = y * (rowBytes + 1) + 1;
    const rowStart = y * rowBytes;
    for (let x = 0; x < rowBytes; x++) {
      const a = x >= step ? (out[rowStart + x - step] as number) : 0;
      const b = y > 0 ? (out[rowStart + x - rowBytes] as number) : 0;
      const c = x >= step && y > 0 ? (out[rowStart + x - rowBytes - step] as number) : 0;
      const predicted = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? nearest(a, b, c) : 0;
      out[rowStart + x] = (data[from + x] as number) + predicted;
    }
  }
  return out;
};

/** A picture is decoded once for all batches that show it. */
const read = new WeakMap<Buffer, Pixels | null>();
/** The pixels of a PNG picture with 8 or 16 bits a channel, as `server/pictures` makes them. Null for any other. */
export const pngPixels = (png: Buffer): Pixels | null => {
  const known = read.get(png);
  if (known !== undefined) return known;
  const pixels = decoded(png);
  read.set(png, pixels);
  return pixels;
};
const decoded = (png: Buffer): Pixels | null => {
  if (png.length < 33 || png.readUInt32BE(0) !== 0x89504e47) return null;
  const [width, height, depth, kind, interlaced] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25] as number, png[28]];
  const channels = channelsOf[kind];
  if ((depth !== 8 && depth !== 16) || interlaced !== 0 || !channels) return null;
  // The high byte of two is precise enough.
  const [bytes, step] = [depth / 8, (channels * depth) / 8];
  const parts: Buffer[] = [];
  let palette = Buffer.alloc(0);
  let clear: Buffer | null = null;
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'IDAT') parts.push(body);
    if (name === 'PLTE') palette = Buffer.from(body);
    if (name === 'tRNS' && kind === 3) clear = body;
    at += length + 12;
  }
  const raw = unfiltered(inflateSync(Buffer.concat(parts)), width * step, height, step);
  const colours = Buffer.alloc(width * height * 3);
  const opacity = kind === 4 || kind === 6 || clear ? Buffer.alloc(width * height, 255) : null;
  for (let i = 0; i < width * height; i++) {
    const at = i * step;
    const first = raw[at] as number;
    for (let c = 0; c < 3; c++)
      colours[i * 3 + c] = (kind === 3 ? palette[first * 3 + c] : kind === 2 || kind === 6 ? raw[at + c * bytes] : first) as number;
    if (opacity) opacity[i] = kind === 3 ? (clear?.[first] ?? 255) : (raw[at + step - bytes] as number);
  }
  return { width, height, colours: deflateSync(colours), opacity: opacity && deflateSync(opacity) };
};

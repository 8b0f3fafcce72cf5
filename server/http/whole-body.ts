import type { Readable } from 'node:stream';
import { ProductError } from '#server/product-error.ts';

/** Reads a stream into memory. Throws `body_too_large` as soon as it exceeds `mostBytes`. */
export const wholeBody = async (body: Readable, mostBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new ProductError('body_too_large');
    parts.push(part);
  }
  return Buffer.concat(parts);
};

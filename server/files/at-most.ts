import { Transform } from 'node:stream';
import { ProductError } from '#server/product-error.ts';

/** Ends an upload that exceeds the limit. */
export const atMost = (bytes: number): Transform => {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      seen += chunk.length;
      next(seen > bytes ? new ProductError('body_too_large') : null, chunk);
    },
  });
};

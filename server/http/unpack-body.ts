import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { ProductError } from '#server/product-error.ts';

const bodyless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE']);

/**
 * Decompresses a gzip body, as devices send their queue. Throws `unsupported_media` for other encodings before reading. The
 * stream always has an error listener, so an unread body cannot end the process.
 */
export const unpackBody = (request: FastifyRequest, payload: Readable): Readable => {
  payload.on('error', () => undefined);
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return payload;
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody && bodyless.has(request.method)) return payload;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new ProductError('unsupported_media');
  delete request.headers['content-encoding'];
  delete request.headers['content-length'];
  const unpacked = createGunzip();
  unpacked.on('error', () => payload.unpipe(unpacked).resume());
  payload.on('error', (error) => unpacked.destroy(error));
  // A lost HTTP/2 connection closes the body without an error.
  payload.on('close', () => {
    if (!payload.readableEnded) unpacked.destroy(new ProductError('malformed'));
  });
  return payload.pipe(unpacked);
};

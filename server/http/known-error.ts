import { DatabaseUnavailable, sqlState } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

/** PostgreSQL errors for text that it cannot store (a zero byte, half a surrogate pair) and for invalid ids. */
const unfitText = new Set(['22021', '22P05', '22P02']);

/** The product error for a thrown value; undefined if it is the server's own fault. */
export const knownError = (thrown: unknown): ProductError | undefined => {
  if (thrown instanceof ProductError) return thrown;
  const error = (thrown ?? {}) as { statusCode?: number; code?: unknown };
  const code = typeof error.code === 'string' ? error.code : '';
  const state = sqlState(thrown) ?? '';
  if (thrown instanceof DatabaseUnavailable || state === '57014') return new ProductError('unavailable');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'ERR_BUFFER_TOO_LARGE') return new ProductError('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ProductError('unsupported_media');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return new ProductError('malformed');
  if (code.startsWith('Z_') || thrown instanceof URIError || unfitText.has(state)) return new ProductError('malformed');
  return undefined;
};

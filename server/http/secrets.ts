import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret that stands in a cookie or a link. 256 bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What is kept of a secret: enough to recognise it, not to use it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const sameText = (a: string, b: string): boolean => {
  const x = createHash('sha256').update(a).digest();
  const y = createHash('sha256').update(b).digest();
  return timingSafeEqual(x, y);
};

/** An anti-forgery token bound to a session (or to none, before sign-in). */
export const newCsrfToken = (key: string, sessionHash: string | null): string => {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${createHmac('sha256', key)
    .update(`${nonce}.${sessionHash ?? 'none'}`)
    .digest('base64url')}`;
};
export const isCsrfToken = (key: string, sessionHash: string | null, token: string): boolean => {
  const [nonce, mac] = token.split('.');
  if (!nonce || !mac) return false;
  return sameText(
    mac,
    createHmac('sha256', key)
      .update(`${nonce}.${sessionHash ?? 'none'}`)
      .digest('base64url'),
  );
};

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret for a cookie or a link: 256 bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const sameText = (a: string, b: string): boolean => {
  const x = createHash('sha256').update(a).digest();
  const y = createHash('sha256').update(b).digest();
  return timingSafeEqual(x, y);
};

/** A CSRF token bound to a session, or to none before sign-in. */
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

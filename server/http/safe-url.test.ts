import { expect, it } from 'vitest';
import { newSecret } from '#server/security/secrets.ts';
import { safeUrl } from '#server/http/safe-url.ts';

it('removes secrets of a URL from the log', () => {
  const secret = newSecret();
  for (const url of [
    `/reset-password/${secret}`,
    `/verify-email/${secret}?from=mail`,
    `/api/auth/password-rules?token=${secret}`,
    `/api/auth/openid/google/callback?state=${secret}&code=${secret}`,
    `/api/x?${secret}`,
    `/player/p/${'0f'.repeat(32)}/index.html`,
  ]) {
    expect(safeUrl(url)).not.toContain(secret.slice(0, 20));
    expect(safeUrl(url)).not.toContain('0f'.repeat(20));
  }
  expect(safeUrl('/api/auth/openid/google/callback?state=1&code=2')).toBe('/api/auth/openid/google/callback?state=…&code=…');
  expect(safeUrl('/api/users/00000000-0000-4000-8000-000000000000/attempts?page=2')).toBe(
    '/api/users/00000000-0000-4000-8000-000000000000/attempts?page=…',
  );
  expect(safeUrl('/assets/index-abcdefghijklmnopqrstuvwxyz012345.js')).toBe('/assets/index-abcdefghijklmnopqrstuvwxyz012345.js');
});

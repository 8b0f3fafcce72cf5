import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import type { TestServer } from '#tests/support/real-server.ts';

/** Request headers of a signed-in demo person: cookies and CSRF token. */
export const signedIn = async (server: TestServer, email: string): Promise<{ Cookie: string; 'X-XSRF-TOKEN': string }> => {
  const cookies = new Map<string, string>();
  const take = (answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
  };
  const headers = () => ({
    Cookie: [...cookies].map(([n, v]) => `${n}=${v}`).join('; '),
    'X-XSRF-TOKEN': [...cookies].find(([n]) => n.includes('XSRF'))?.[1] ?? '',
  });
  take(await fetch(`${server.url}/api/sanctum/csrf-cookie`));
  const answer = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${await answer.text()}`);
  take(answer);
  return headers();
};

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocol } from '#contract/protocol.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** What a course package, which runs on another port of the same host, can and cannot do with cookies. */
describe('a cookie set by someone else', () => {
  let server: TestApp;
  let client: TestClient;
  let origin: string;
  const session = '__Host-Http-lantern_session';
  const plain = 'lantern_session';
  const withCookies = (cookie: string, method = 'GET', path = '/auth/user', headers: Record<string, string> = {}) =>
    server.app.inject({ method: method as 'GET', url: `/api${path}`, headers: { cookie, ...headers } });
  const own = () => [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  beforeAll(async () => {
    server = await startTestApp();
    client = server.client();
    await client.signIn('learner@willowbrook.test');
    origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  it('a cookie that a script could set is ignored, if the browser has shown that it stores cookies with the `__Host-Http-` prefix', async () => {
    expect([...client.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', '__Host-Http-lantern_probe', session].sort());
    const old = server.client();
    const token = await old.send('GET', '/sanctum/csrf-cookie');
    expect(token.cookies.find((c) => c.name.includes('probe'))).toMatchObject({ httpOnly: true, secure: true, path: '/', sameSite: 'Lax' });
    old.cookies.delete('__Host-Http-lantern_probe');
    await old.json('POST', '/login', { email: 'learner@willowbrook.test', password: 'Lantern-demo-1' });
    expect([...old.cookies.keys()]).toContain(plain);
    expect((await old.send('GET', '/auth/user')).statusCode).toBe(200);
    // A plain cookie does not override the bound one.
    const moved = await withCookies(`${plain}=${old.cookies.get(plain)}; ${session}=x`);
    expect(moved.statusCode).toBe(401);
  });
  it('changes do not depend on cookies: the token is bound to the session and sent in a header', async () => {
    const token = client.cookies.get(protocol.csrfCookie) as string;
    const change = (cookie: string, headers: Record<string, string>) => withCookies(cookie, 'POST', '/logout', headers);
    const bound = `${session}=${client.cookies.get(session)}`;
    expect((await change(bound, {})).statusCode).toBe(419);
    expect((await change(`XSRF-TOKEN=${token}; ${bound}`, {})).statusCode).toBe(419);
    expect((await change(bound, { [protocol.csrfHeader]: token, origin: 'http://localhost:3001' })).statusCode).toBe(419);
    expect((await change(`XSRF-TOKEN=evil; XSRF-TOKEN=${token}; ${bound}`, { [protocol.csrfHeader]: token })).statusCode).toBe(204);
    await client.signIn('learner@willowbrook.test');
  });
  it('if there are two, none is accepted and both are deleted: the person signs in again', async () => {
    const old = server.client();
    await old.send('GET', '/sanctum/csrf-cookie');
    old.cookies.delete('__Host-Http-lantern_probe');
    await old.json('POST', '/login', { email: 'learner@willowbrook.test', password: 'Lantern-demo-1' });
    const secret = old.cookies.get(plain);
    const doubled = await withCookies(`${plain}=another; ${plain}=${secret}`);
    expect(doubled.statusCode).toBe(401);
    const gone = doubled.cookies.filter((c) => c.name === plain && c.value === '');
    expect(gone.map((c) => c.path)).toEqual(expect.arrayContaining(['/', '/api', '/api/auth', '/api/auth/user']));
    expect((await withCookies(`${plain}=${secret}`)).statusCode).toBe(200);
  });
  it('as many cookies as a browser stores are read and deleted, so their size locks nobody out', async () => {
    const bomb = Array.from({ length: 175 }, (_, i) => `bomb${i}=${'x'.repeat(4000)}`);
    const ask = (cookie: string) =>
      new Promise<{ status: number; gone: string[]; body: string }>((done, failed) => {
        request(`${origin}/api/auth/user`, { headers: { cookie }, maxHeaderSize: 262_144 }, async (answer) => {
          const gone = (answer.headers['set-cookie'] ?? []).map((c) => c.split('=')[0] as string);
          done({ status: answer.statusCode as number, gone: [...new Set(gone)], body: await text(answer) });
        })
          .on('error', failed)
          .end();
      });
    let left = bomb;
    for (let i = 0; i < 4 && left.length > 0; i++) {
      const { status, gone } = await ask([...left, own()].join('; '));
      expect(status).toBe(200);
      expect(gone).not.toContain(session);
      left = left.filter((c) => !gone.includes(c.split('=')[0] as string));
    }
    // The remaining cookies have a normal size.
    expect(left).toEqual([]);
  });
});

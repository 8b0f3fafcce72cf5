import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetCsrfToken, request } from '#src/api/transport.ts';

const ours = { 'X-Lantern': '1', 'Content-Type': 'application/json' };
const answers: (() => Response | Promise<Response>)[] = [];
const sent: { url: string; headers: Headers }[] = [];

describe('the transport', () => {
  beforeEach(() => {
    forgetCsrfToken();
    answers.length = 0;
    sent.length = 0;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push({ url, headers: new Headers(init.headers) });
      const next = answers.shift();
      if (!next) throw new TypeError('no network');
      return next();
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const csrf = () => new Response(null, { status: 204, headers: { ...ours, 'X-XSRF-TOKEN': 'token' } });

  it('takes what is not ours as not reached: a portal’s page, a redirect, a cut answer', async () => {
    answers.push(() => new Response('<html>Sign in to the hotel</html>', { status: 200, headers: { 'Content-Type': 'text/html' } }));
    expect(await request('GET', '/check')).toEqual({ kind: 'unreachable', reason: 'stranger' });
    answers.push(() => Response.redirect('http://portal.test/', 302));
    expect((await request('GET', '/check')).kind).toBe('unreachable');
    answers.push(() => new Response('{"data":{"ok":tr', { status: 200, headers: ours }));
    expect((await request('GET', '/check')).kind).toBe('unreachable');
    answers.push(() => new Response('{"message":"from a proxy"}', { status: 500, headers: ours }));
    expect((await request('GET', '/check')).kind).toBe('unreachable');
    expect(await request('GET', '/check')).toEqual({ kind: 'unreachable', reason: 'offline' });
  });
  it('fetches the anti-forgery token before a change, and once more when it is too old', async () => {
    const old = () => new Response('{"code":"csrf_mismatch","message":"old"}', { status: 419, headers: ours });
    answers.push(csrf, old, csrf, () => new Response('{"data":1}', { status: 200, headers: ours }));
    expect(await request('PATCH', '/attempts/1', { body: {} })).toMatchObject({ kind: 'ok', data: 1 });
    expect(sent.map((s) => s.url)).toEqual(['/api/sanctum/csrf-cookie', '/api/attempts/1', '/api/sanctum/csrf-cookie', '/api/attempts/1']);
    expect(sent[1]?.headers.get('X-XSRF-TOKEN')).toBe('token');
    answers.push(old, csrf, old);
    expect(await request('PATCH', '/attempts/1', { body: {} })).toMatchObject({ kind: 'refused', status: 419 });
  });
});

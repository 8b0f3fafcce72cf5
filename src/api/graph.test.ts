import { afterEach, describe, expect, it, vi } from 'vitest';
import { protocol, serverMark } from '#contract/protocol.ts';
import { HelpArticlesDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';

const ours = (body: object | null, status: number, token?: string) =>
  new Response(body && JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', [serverMark.header]: serverMark.value, ...(token ? { [protocol.csrfHeader]: token } : {}) },
  });
const ask = () => graphCall(HelpArticlesDocument, { first: 1 });

describe('the graph', () => {
  afterEach(() => void vi.unstubAllGlobals());
  it('is asked again with a new anti-forgery token where another call has fetched one meanwhile', async () => {
    const tokens = ['first', 'second'];
    const sent: (string | null)[] = [];
    vi.stubGlobal('fetch', async (uri: string, init: RequestInit) => {
      if (String(uri).includes('csrf-cookie')) return ours(null, 204, tokens.shift());
      sent.push(new Headers(init.headers).get(protocol.csrfHeader));
      return sent.length === 1 ? ours({ code: 'csrf_mismatch', message: '' }, 419) : ours({ data: { helpArticles: { data: [] } } }, 200);
    });
    expect(await ask()).toMatchObject({ kind: 'ok', data: { helpArticles: { data: [] } } });
    expect(sent).toEqual(['first', 'second']);
  });
  it('answers what it refuses as every other call does, with the fields that are wrong', async () => {
    const extensions = { code: 'invalid_input', status: 422, errors: { name: ['Enter a name.'] } };
    vi.stubGlobal('fetch', async () => ours({ data: null, errors: [{ message: 'Invalid input', extensions }] }, 200));
    expect(await ask()).toMatchObject({ kind: 'refused', status: 422, error: { code: 'invalid_input', errors: extensions.errors } });
  });
  it('is not reached where the answer is another’s', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 200 }));
    expect(await ask()).toMatchObject({ kind: 'unreachable' });
  });
});

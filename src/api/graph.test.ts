import { afterEach, describe, expect, it, vi } from 'vitest';
import { gql } from '@apollo/client';
import { protocol, serverMark } from '#contract/protocol.ts';
import { createGraphClient } from '#src/api/graph.ts';

const storage = { getItem: async () => null as never, setItem: async () => {}, removeItem: async () => {} };
const ours = (body: object | null, status: number, token?: string) =>
  new Response(body && JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', [serverMark.header]: serverMark.value, ...(token ? { [protocol.csrfHeader]: token } : {}) },
  });

describe('the graph', () => {
  afterEach(() => void vi.unstubAllGlobals());
  it('is asked again with a new anti-forgery token where another call has fetched one meanwhile', async () => {
    const tokens = ['first', 'second'];
    const sent: (string | null)[] = [];
    vi.stubGlobal('fetch', async (uri: string, init: RequestInit) => {
      if (String(uri).includes('csrf-cookie')) return ours(null, 204, tokens.shift());
      sent.push(new Headers(init.headers).get(protocol.csrfHeader));
      return sent.length === 1 ? ours({ code: 'csrf_mismatch', message: '' }, 419) : ours({ data: { me: { uuid: 'x' } } }, 200);
    });
    const { client } = await createGraphClient(storage);
    const { data } = await client.query({ query: gql`query { me { uuid } }` });
    expect(data).toMatchObject({ me: { uuid: 'x' } });
    expect(sent).toEqual(['first', 'second']);
  });
});

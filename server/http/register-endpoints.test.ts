import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { registerEndpoints } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

const rooms = endpoint({
  ...{ id: 'rooms', method: 'GET', path: '/rooms', summary: 'Rooms.', access: 'public', errors: [], offline: 'online-only' },
  response: z.array(z.object({ name: z.string(), beds: z.nullable(z.number()) })),
});
const removeRoom = endpoint({
  ...{ id: 'removeRoom', method: 'DELETE', path: '/remove', summary: 'Removes.', access: 'public', errors: [], offline: 'online-only' },
});
const answered = async (data: unknown, NODE_ENV = 'test', text = false) => {
  const app = Fastify();
  app.setErrorHandler((error: Error, _request, reply) => reply.status(500).send({ error: error.message }));
  registerEndpoints(app, { config: { NODE_ENV } } as Services, [rooms], {
    rooms: async () => (text ? { text: JSON.stringify(data) } : { data: data as never }),
  });
  const response = await app.inject('/rooms');
  return response.statusCode === 200 ? response.json().data : response.json().error;
};

describe('answers in tests and development', () => {
  const right = [{ name: 'Ash', beds: null }];
  it('are sent unchanged if they match the contract', async () => {
    expect(await answered(right)).toEqual(right);
    expect(await answered(right, 'test', true)).toEqual(right);
  });
  it.each([
    ['a field that is missing', [{ name: 'Ash' }], 'data.0.beds'],
    ['a field of another kind', [{ name: 'Ash', beds: '2' }], 'data.0.beds'],
    ['a field that the contract does not name', [{ name: 'Ash', beds: 2, password_hash: 'x' }], 'data.0.password_hash: not in the contract'],
    ['no data at all', undefined, 'data'],
  ])('fails for %s', async (_what, data, problem) => {
    for (const text of [false, true].slice(0, data ? 2 : 1)) expect(await answered(data, 'development', text)).toContain(problem);
  });
  it('are not checked in production', async () => {
    expect(await answered([{ name: 'Ash' }], 'production')).toEqual([{ name: 'Ash' }]);
  });
  it('fail if an endpoint without data answers some', async () => {
    const app = Fastify();
    const call = { ...removeRoom, method: 'GET' as const };
    registerEndpoints(app, { config: { NODE_ENV: 'test' } } as Services, [call], { removeRoom: (async () => ({ data: 1 })) as never });
    expect((await app.inject('/remove')).statusCode).toBe(500);
  });
});

import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { readForm } from '#server/http/multipart.ts';
import { ProductError } from '#server/product-error.ts';
import { unpackBody } from '#server/http/unpack-body.ts';

const app = Fastify();
app.addHook('preParsing', async (request, _reply, payload) => unpackBody(request, payload as Readable));
app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
  reply.status(error instanceof ProductError ? error.status : (error.statusCode ?? 500)).send(),
);
app.addContentTypeParser(['application/zip', 'multipart/form-data'], (_request, payload, done) => done(null, payload));
app.get('/', async () => 'here');
app.post('/', async (request) => (request.body instanceof Readable ? 'unread' : request.body));
app.post('/form', async (request) => readForm(request, ['file'], 100));
const answer = async (method: 'GET' | 'POST', type: string, encoding: string, payload?: Buffer, url = '/') =>
  (await app.inject({ method, url, headers: { 'content-type': type, 'content-encoding': encoding }, ...(payload ? { payload } : {}) })).statusCode;
const json = 'application/json';

it('decompresses bodies, and no invalid one ends the server', async () => {
  expect(await answer('POST', json, 'gzip', gzipSync('{"a":1}'))).toBe(200);
  expect(await answer('POST', json, 'GZIP', gzipSync('{"a":1}'))).toBe(200);
  // An unhandled error event would fail the run.
  expect(await answer('GET', json, 'gzip')).toBe(200);
  expect(await answer('GET', json, 'gzip', Buffer.from('x'))).toBe(200);
  expect(await answer('POST', 'application/zip', 'gzip', gzipSync('a').subarray(0, 9))).toBe(200);
  expect(await answer('POST', json, 'gzip', gzipSync('{}').subarray(0, 12))).toBe(400);
  expect(await answer('POST', json, 'gzip', Buffer.from('x'))).toBe(400);
  expect(await answer('POST', json, 'gzip', gzipSync(Buffer.alloc(3_000_000)))).toBe(413);
  for (const encoding of ['br', 'gzip, gzip', 'junk']) expect(await answer('POST', json, encoding, Buffer.from('{}'))).toBe(415);
});

it('refuses a form that is truncated within a file', async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  for (const cut of [`${head}half of`, head, `${head}a\r\n--b\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\nhalf`])
    expect(await answer('POST', 'multipart/form-data; boundary=b', 'identity', Buffer.from(cut), '/form')).toBeGreaterThanOrEqual(400);
});

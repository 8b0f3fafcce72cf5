import { gzipSync } from 'node:zlib';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';

/** Requests that no browser sends, made of parts that are known to cause problems for servers. */
type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const oddTargets = [
  '/',
  '//',
  '/%',
  '/%00',
  '/%ff%fe',
  '*',
  'http://[::1',
  'http://other.test/api/check',
  'other.test:443',
  '/../../etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/%00',
  '/api',
  '/api/',
  '/api/%E0%A4%A',
  '/api/check?%',
  '/api/check?a[]=1&a[b]=2&__proto__[x]=1',
  `/api/check?${'a=1&'.repeat(2000)}`,
  `/${'a'.repeat(9000)}`,
  `/${'%41'.repeat(4000)}`,
  `/api/users/${'x'.repeat(1500)}`,
  '/api/whitelabel?slug=%00',
  '/api/whitelabel?slug=%ed%a0%80',
  '/api/whitelabel?subdomain=%00',
  '/api/auth/sign-in-options?slug=a%00b',
  '/api/auth/openid/google/callback?state=%00&code=%00',
  '/api/auth/openid/nobody?to=//other.test',
  '/manifest.webmanifest?slug=%00',
  '/manifest.webmanifest?slug=a&slug=b',
  '/docs/api/../../package.json',
  '/docs/api/static/%00',
  '/dev/mail?%',
  '/player/',
  '/player/%00',
  '/player/p/',
  `/player/p/${'0'.repeat(64)}/a`,
  `/player/p/${'0'.repeat(64)}/%00`,
  '/player/p/..%2f..%2fx/y',
  '/player/p/__proto__/constructor',
  `/player/p/${'0'.repeat(64)}/${'a/'.repeat(600)}`,
  '/player/content-sw.js',
  '/player/h5p.html?%',
  '/api/graphql?query=%00',
  '/\u00ff\u00fe',
] as const;
const places = ['00000000-0000-4000-8000-000000000000', '%00', '..', '%', '__proto__', 'null', "' or 1=1", 'x'.repeat(300)];
const ofContract = (random: Random): { method: string; target: string } => {
  // Signing out would make the rest of the run anonymous, and streams do not end.
  const e = pick(
    random,
    (endpoints as readonly Endpoint[]).filter((e) => !e.path.includes('logout') && e.file !== 'text/event-stream'),
  );
  return { method: e.method, target: encodeURI(e.path.replace(/\{\w+\}/g, () => pick(random, places))).replace(/%25/g, '%') };
};

const oddMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'CONNECT', 'FOO', 'get', '', 'GE\0T'];
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json;;;',
  'application/zip',
  'application/octet-stream',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=b',
  `multipart/form-data; boundary=${'b'.repeat(5000)}`,
  'application/x-www-form-urlencoded',
  'text/xml',
  ';',
  '',
  '\u00ff',
];
/** Header names and values; a value may be missing. */
const oddHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Encoding', ['gzip', 'gzip', 'gzip', 'GZIP', 'x-gzip', 'gzip, gzip', 'br', 'deflate', 'zstd', 'identity', '', 'junk']],
  ['Transfer-Encoding', ['chunked', 'gzip', 'gzip, chunked', 'chunked, gzip', 'chunked, chunked', 'junk', '']],
  ['Content-Length', ['0', '5', '-1', '+5', 'abc', '99999999999999999999', '1e3', '']],
  ['Content-Type', types],
  ['Cookie', ['=', ';;;;', 'a=%zz', '__proto__=x', 'lantern_session=%00', 'XSRF-TOKEN=%', '\u00ff=\u00fe', 'a=1; '.repeat(1500)]],
  ['X-XSRF-TOKEN', ['%', '%00', '', '%E0%A4%A', 'x'.repeat(6000)]],
  ['Authorization', ['Bearer', 'Bearer ', 'Bearer x', 'x', 'Basic %%%', 'Bearer \u00ff', `Bearer ${'x'.repeat(6000)}`]],
  ['Host', ['', 'a b', '[', '[::1', '%00', ':', ':::', 'x'.repeat(300), 'a.b.c.d.localhost', 'localhost:99999', '\u00ff']],
  ['Range', ['bytes=9-1', 'bytes=-', 'bytes=0-0,1-1', 'bytes=-0', 'bytes=99999999999999999999-', 'lines=1-2', 'bytes=a-b', '']],
  ['If-None-Match', ['"', 'W/', '*', ',,,', `"${'x'.repeat(4000)}"`]],
  ['If-Modified-Since', ['yesterday', '-1', 'Thu, 32 Foo 20000 99:99:99 GMT']],
  ['Accept-Encoding', ['', ';', 'br;q=x', '*;q=0', 'identity;q=0', 'gzip;q=1.0001, *;q=-1', ','.repeat(2000)]],
  ['Accept', ['', 'text/html', ';;', '*/*;q=x', 'text/html,'.repeat(500)]],
  ['Expect', ['100-continue', 'junk']],
  ['Upgrade', ['websocket', 'h2c', 'junk']],
  ['Connection', ['upgrade', 'close', 'keep-alive, host', 'junk']],
  ['Origin', ['null', 'http://', 'http://other.test', '\u00ff']],
  ['Sec-Fetch-Site', ['cross-site', 'junk']],
  ['X-Forwarded-For', ['"', 'unknown', ', , ,', '1.2.3.4, 5.6.7.8', '::::', 'x'.repeat(3000)]],
  ['X-Forwarded-Proto', ['https', 'javascript', ',']],
  ['X-Forwarded-Host', ['', ':', 'other.test']],
  ['X-Acting-As', ['', '%00', 'null', '00000000-0000-4000-8000-000000000000', '\u00ff', "' or 1=1"]],
  ['X-Lantern-Actor', ['', 'null', '\u00ff']],
  ['Idempotency-Key', ['', '\u00ff', 'x'.repeat(5000)]],
  ['Service-Worker', ['script', 'junk']],
  ['User-Agent', ['', '\u00ff', 'x'.repeat(5000)]],
  ['Trailer', ['Content-Length']],
  ['X-HTTP-Method-Override', ['DELETE']],
];
const form = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
const bodies: readonly (() => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.alloc(0),
  () => Buffer.from('x'),
  () => Buffer.from('{}'),
  () => Buffer.from('{'),
  () => Buffer.from('null'),
  () => Buffer.from('[]'),
  () => Buffer.from('"\\ud800"'),
  () => Buffer.from('{"__proto__":{"a":1},"constructor":{"prototype":1}}'),
  () => Buffer.from('{"email":"a\\u0000b@c.test","password":"\\ud800"}'),
  () => Buffer.from('{"n":1e999,"m":-0,"o":1E-999999}'),
  () => Buffer.from('['.repeat(100_000)),
  () => Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  () => Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  () => Buffer.from('\ufeff{}'),
  () => gzipSync('{}'),
  () => gzipSync('{"query":"{ __typename }"}').subarray(0, 12),
  () => Buffer.concat([gzipSync('{}'), Buffer.from('behind it')]),
  () => Buffer.from([0x1f, 0x8b]),
  () => gzipSync(Buffer.alloc(10_000_000)),
  () => Buffer.from('{"query":"{"}'),
  () => Buffer.from('{"query":"{ __typename }","variables":"x"}'),
  () => Buffer.from('{"query":"query($a:Int!){__typename}","operationName":5}'),
  () => form('--b\nContent-Disposition: form-data; name="file"; filename="a"\n\nx'),
  () => form('--b\nContent-Disposition: form-data\n\nx\n--b--\n'),
  () => form('--b--\n'),
  () => form('--b\n--b\n--b\n'),
  () => form('--b\nContent-Disposition: form-data; name="__proto__"\n\nx\n--b--\n'),
  () => Buffer.from('5\r\nabc'),
  () => Buffer.from('zz\r\nabc\r\n0\r\n\r\n'),
  () => Buffer.from('ffffffffffffffff\r\nabc'),
  () => Buffer.from('3\r\nabc\r\n0\r\nX: \0\r\n\r\n'),
];

export type Malformed = { method: string; target: string; headers: [string, string][]; body: Buffer };

/** `own`: headers of a signed-in person, so that protected endpoints are reached too. */
export const malformed = (random: Random, host: string, own: readonly [string, string][]): Malformed => {
  const { method, target } = random() < 0.5 ? ofContract(random) : { method: pick(random, oddMethods), target: pick(random, oddTargets) };
  const body = pick(random, bodies)();
  const headers: [string, string][] = [];
  if (random() < 0.9) headers.push(['Host', host]);
  if (random() < 0.5) headers.push(...own);
  if (random() < 0.5) headers.push(['Content-Type', pick(random, types.slice(0, 5))]);
  for (let n = Math.floor(random() * 4); n > 0; n--) {
    const [name, values] = pick(random, oddHeaders);
    headers.push([name, pick(random, values)]);
  }
  const names = new Set(headers.map(([name]) => name));
  if (body.length > 0 && random() < 0.85 && !names.has('Content-Length') && !names.has('Transfer-Encoding'))
    headers.push(['Content-Length', String(body.length)]);
  return { method: random() < 0.8 ? method : pick(random, oddMethods), target, headers, body };
};

export const asHttp1 = ({ method, target, headers, body }: Malformed): Buffer =>
  Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`, 'latin1'), body]);

/** Bytes that are not HTTP/1.1. */
export const noHttp1: readonly (() => Buffer)[] = [
  () => Buffer.from('\r\n\r\n\r\n'),
  () => Buffer.from('GET / HTTP/9.9\r\n\r\n'),
  () => Buffer.from('GET /\r\n\r\n'),
  () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n'),
  () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'),
  () => Buffer.from('GET / HTTP/1.1\nHost: a\n\n'),
  () => Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(5000)}\r\n`),
  () => Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`),
  () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]),
  () => Buffer.from([0x80, 0, 0, 0, 0, 1, 0, 1]),
  () => Buffer.alloc(100_000),
];

const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const length = (n: number): Buffer => {
  if (n < 127) return Buffer.from([n]);
  const bytes = [127];
  for (n -= 127; n >= 128; n >>= 7) bytes.push((n & 127) | 128);
  return Buffer.from([...bytes, n]);
};
/** Headers without HPACK compression. */
const written = (headers: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat(
    headers.flatMap(([name, value]) => {
      const [n, v] = [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')];
      return [Buffer.from([0]), length(n.length), n, length(v.length), v];
    }),
  );
const [DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const [endOfStream, endOfHeaders] = [1, 4];
const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, Buffer.alloc(0))]);
const asked = (path: string, more: [string, string][] = []): Buffer =>
  written([[':method', 'GET'], [':scheme', 'https'], [':authority', 'localhost'], [':path', path], ...more]);
const four = (n: number) => {
  const b = Buffer.alloc(4);
  b.writeUInt32BE(n);
  return b;
};
const check = '/api/check';

/** Frames that violate HTTP/2, or are valid but excessive. */
export const frames: readonly ((random: Random) => Buffer)[] = [
  () => Buffer.from('no preface at all\r\n\r\n'),
  () => frame(DATA, endOfStream, 0, Buffer.from('x')),
  () => frame(DATA, endOfStream, 7, Buffer.from('x')),
  () => frame(HEADERS, endOfStream | endOfHeaders, 0, asked(check)),
  () => frame(HEADERS, endOfStream | endOfHeaders, 2, asked(check)),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, written([[':method', 'GET']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [[':path', '/other']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked('')),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked('*')),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked('http://[')),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked('/%')),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['UPPER', 'x']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['connection', 'close']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['te', 'gzip']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['x', 'a\r\nb: c']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['content-encoding', 'gzip']])),
  () => frame(HEADERS, endOfStream | endOfHeaders, 1, asked(check, [['content-length', '50']])),
  () =>
    frame(
      HEADERS,
      endOfStream | endOfHeaders,
      1,
      written([
        [':method', 'CONNECT'],
        [':authority', 'localhost:1'],
      ]),
    ),
  () =>
    frame(
      HEADERS,
      endOfStream | endOfHeaders,
      1,
      written([
        [':method', 'FOO'],
        [':scheme', 'x'],
        [':authority', ''],
        [':path', check],
      ]),
    ),
  ...(['gzip', 'br', 'junk'] as const).map((encoding) => () => {
    const headers = written([
      [':method', 'POST'],
      [':scheme', 'https'],
      [':authority', 'localhost'],
      [':path', '/api/login'],
      ['content-type', 'application/json'],
      ['content-encoding', encoding],
    ]);
    return Buffer.concat([frame(HEADERS, endOfHeaders, 1, headers), frame(DATA, 0, 1, Buffer.from([0x1f, 0x8b, 1])), frame(RESET, 0, 1, four(8))]);
  }),
  () =>
    Buffer.concat([
      frame(HEADERS, endOfHeaders, 1, asked(check)),
      frame(DATA, endOfStream, 1, Buffer.from('{')),
      frame(DATA, 0, 1, Buffer.from('x')),
    ]),
  () => Buffer.concat([frame(HEADERS, 0, 1, asked(check)), frame(PING, 0, 0, Buffer.alloc(8))]),
  () => Buffer.concat([frame(HEADERS, 0, 1, asked(check)), ...Array.from({ length: 500 }, () => frame(CONTINUATION, 0, 1, written([['x', 'y']])))]),
  () => frame(CONTINUATION, endOfHeaders, 1, asked(check)),
  () => frame(PRIORITY, 0, 1, Buffer.alloc(3)),
  () => frame(PUSH, endOfHeaders, 1, Buffer.concat([four(2), asked(check)])),
  () => frame(SETTINGS, 0, 0, Buffer.alloc(5)),
  () => frame(SETTINGS, 0, 0, Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff])),
  () => frame(SETTINGS, 1, 0, Buffer.from([0])),
  () => frame(PING, 0, 1, Buffer.alloc(8)),
  () => frame(PING, 0, 0, Buffer.alloc(3)),
  () => frame(GOAWAY, 0, 0, Buffer.alloc(2)),
  () => frame(WINDOW, 0, 0, four(0)),
  () => Buffer.concat([frame(WINDOW, 0, 0, four(0x7fffffff)), frame(WINDOW, 0, 0, four(0x7fffffff))]),
  () => frame(200, 255, 1, Buffer.alloc(100)),
  () => frame(DATA, 0, 1, Buffer.alloc(100_000)),
  () => frame(HEADERS, endOfHeaders, 1, Buffer.alloc(0)),
  () => Buffer.concat(Array.from({ length: 2000 }, () => frame(PING, 0, 0, Buffer.alloc(8)))),
  () => Buffer.concat(Array.from({ length: 1000 }, () => frame(SETTINGS, 0, 0, Buffer.alloc(0)))),
  () =>
    Buffer.concat(
      Array.from({ length: 300 }, (_, i) =>
        Buffer.concat([frame(HEADERS, endOfStream | endOfHeaders, 2 * i + 1, asked(check)), frame(RESET, 0, 2 * i + 1, four(8))]),
      ),
    ),
  (random) =>
    Buffer.concat(
      Array.from({ length: 30 }, () =>
        frame(
          Math.floor(random() * 10),
          Math.floor(random() * 256),
          Math.floor(random() * 4),
          Buffer.alloc(Math.floor(random() * 40), Math.floor(random() * 256)),
        ),
      ),
    ),
];
export const asHttp2 = (bytes: Buffer): Buffer => (bytes.subarray(0, 2).toString() === 'no' ? bytes : Buffer.concat([preface, bytes]));

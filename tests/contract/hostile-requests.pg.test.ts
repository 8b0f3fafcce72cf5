import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authEndpoints } from '#contract/api/auth.ts';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { signInEndpoints } from '#contract/api/sign-in.ts';
import { isErrorCode } from '#contract/errors.ts';
import { permissions } from '#contract/permissions.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { sql } from '#server/db/sql.ts';
import { graphSchema as schema } from '#server/features.ts';
import { schemaOf } from '#server/http/open-api.ts';
import { h5pFiles, scormManifest, zip } from '#tests/support/archives.ts';
import { hostile, hostileFrom, hostileTimes, type Json, nul } from '#tests/support/hostile.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';
import { workbook } from '#tests/support/workbook.ts';

/**
 * Inputs that the contract's schemas do not cover: uploaded files, sign-in, the graph, and the parts of a request
 * other than its body. Whatever a client sends, the answer is never 5xx, and mistakes are answered as the contract says.
 */
const slowestMs = 15_000;
const halves = [0xd800, 0xdc00].map((code) => String.fromCharCode(code));

describe('whatever is asked', () => {
  let server: TestApp;
  let client: TestClient;
  const { random, pick, fitting, placesIn, withValueAt } = hostileFrom(47);
  let wrong: string[] = [];
  const codes = new Set<string>();

  type Sent = { method: string; url: string; headers?: Record<string, string>; payload?: Buffer | string };
  type Answered = Awaited<ReturnType<TestApp['app']['inject']>>;
  const send = async (by: TestClient | null, { method, url, headers = {}, payload }: Sent, said: string): Promise<Answered> => {
    const cookies = Object.fromEntries(by?.cookies ?? []);
    const began = performance.now();
    const answer = await server.app.inject({
      ...{ method: method as 'GET', url, cookies, headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '', ...headers } },
      ...(payload === undefined ? {} : { payload }),
    });
    const ms = performance.now() - began;
    if (ms > slowestMs) wrong.push(`${said}: answered after ${Math.round(ms)} ms`);
    judge(answer, said);
    return answer;
  };
  const judge = (answer: Answered, said: string) => {
    if (answer.statusCode >= 500) wrong.push(`${said}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
    if (answer.statusCode < 400) return;
    let body: { code?: unknown; message?: unknown; errors?: unknown; request_id?: unknown } = {};
    try {
      body = JSON.parse(answer.body) as typeof body;
    } catch {
      // Told below.
    }
    codes.add(String(body.code));
    const fields = Object.values((body.errors as Record<string, unknown[]> | undefined) ?? {});
    const asAgreed =
      isErrorCode(body.code) &&
      typeof body.message === 'string' &&
      typeof body.request_id === 'string' &&
      fields.every((f) => Array.isArray(f) && f.length > 0 && f.every((s) => typeof s === 'string')) &&
      answer.headers['x-lantern'] === '1';
    if (!asAgreed) wrong.push(`${said}: ${answer.statusCode} is not answered as agreed: ${answer.body.slice(0, 200)}`);
  };
  const fresh = async (email = 'admin@willowbrook.test') => {
    await server.database.db.run(sql`delete from sign_in_failures`);
    const someone = server.client();
    await someone.signIn(email);
    return someone;
  };
  const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 60);

  beforeAll(async () => {
    server = await startTestApp();
    client = await fresh();
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${permissions.map((p) => p.id)}::int[]) from users where email = 'admin@willowbrook.test' on conflict do nothing`,
    );
    client = await fresh();
  });
  beforeEach(() => {
    wrong = [];
    codes.clear();
  });
  afterAll(() => server.close());

  describe('files', () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const hugePng = Buffer.from(png);
    hugePng.writeUInt32BE(0x7fffffff, 16);
    hugePng.writeUInt32BE(0x7fffffff, 20);
    const svg = (inner: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`);
    const bytes = (n: number) => Buffer.from(Array.from({ length: n }, () => Math.floor(random() * 256)));
    let files: Record<string, Buffer>;
    beforeAll(async () => {
      const odd = (title: string) => scormManifest({ items: `<item identifier="one" identifierref="r1"><title>${title}</title></item>` });
      const scorm = await zip({ 'imsmanifest.xml': scormManifest(), 'index.html': '<p>Hello' });
      files = {
        nothing: Buffer.alloc(0),
        'one byte': Buffer.from([0]),
        noise: bytes(3000),
        zeros: Buffer.alloc(50_000),
        'halves of characters': Buffer.from('\ud800,\udc00\n\ud83d,1\n', 'utf16le'),
        'bytes that are no UTF-8': Buffer.from([0xed, 0xa0, 0x80, 0x2c, 0xff, 0xfe, 0x0a, 0xc0, 0x80]),
        'a table': Buffer.from('email,name\nfuzz@example.org,Fuzz\n'),
        'a table with U+0000': Buffer.from(`email,na${nul}me\nfu${nul}zz@example.org,${nul}\n`),
        'an open quotation mark': Buffer.from('email,name\n"fuzz@example.org,Fuzz\n'.repeat(50)),
        'one long line': Buffer.from(`email,${'a'.repeat(400_000)}`),
        'many columns': Buffer.from(`${','.repeat(300_000)}\n`),
        'many lines': Buffer.from('\n'.repeat(300_000)),
        'names of columns that objects have': Buffer.from('__proto__,constructor,email,toString\n1,2,fuzz@example.org,4\n'),
        workbook: workbook([
          ['email', 'name'],
          ['fuzz@example.org', 1e308],
        ]),
        'cut workbook': workbook([['email']]).subarray(0, 300),
        'workbook that is none': await zip({
          'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="-1"><c r="ZZZZZ999999999" t="s"><v>-5</v></c></row>',
        }),
        'workbook of nothing': await zip({ 'xl/workbook.xml': '', 'xl/worksheets/sheet1.xml': '', '[Content_Types].xml': '' }),
        scorm,
        'cut archive': scorm.subarray(0, scorm.length - 30),
        'archive with a broken directory': Buffer.concat([scorm.subarray(0, scorm.length - 22), Buffer.alloc(22, 0xff)]),
        'archive of noise': Buffer.concat([scorm.subarray(0, 60), bytes(200), scorm.subarray(260)]),
        'manifest of odd characters': await zip({ 'imsmanifest.xml': odd('&#0;&#xD800;&#xFFFF;&#x110000;\u0000\u202e'), 'index.html': '' }),
        'manifest without anything': await zip({ 'imsmanifest.xml': '' }),
        'manifest of one bracket': await zip({ 'imsmanifest.xml': '<' }),
        'manifest of attributes': await zip({ 'imsmanifest.xml': `<manifest ${Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(' ')}/>` }),
        'manifest that refers to itself': await zip({
          'imsmanifest.xml': scormManifest({ items: '<item identifier="a" identifierref="a"><item identifier="a" identifierref="nothing"/></item>' }),
        }),
        'manifest with prototypes': await zip({
          'imsmanifest.xml': odd('x').replaceAll('identifier="one"', 'identifier="__proto__" constructor="1"'),
          'index.html': '',
        }),
        h5p: await zip(h5pFiles()),
        'h5p of odd texts': await zip(
          h5pFiles({ 'h5p.json': JSON.stringify({ title: `a${nul}${halves[0]}`, mainLibrary: '__proto__', preloadedDependencies: [{}] }) }),
        ),
        'h5p of no object': await zip(h5pFiles({ 'h5p.json': 'null', 'content/content.json': '5' })),
        'h5p with a deep content': await zip(h5pFiles({ 'content/content.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}` })),
        'h5p with deep definitions': await zip(h5pFiles({ 'h5p.json': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` })),
        'h5p with prototypes': await zip(
          h5pFiles({
            'content/content.json': '{"__proto__":{"library":"X 1.0"},"library":"constructor 9.9"}',
            'Lantern.Steps-1.0/library.json': JSON.stringify({
              title: nul,
              machineName: 'constructor',
              majorVersion: 1e308,
              minorVersion: -1,
              patchVersion: 'NaN',
            }),
          }),
        ),
        'names that lead elsewhere': await zip({ 'a/b': '', con: '', 'ä\u0308\ufeff': '', '\u202e.exe': '' }),
        png,
        'cut picture': png.subarray(0, 40),
        'picture of 4 million terabytes': hugePng,
        'jpeg of nothing': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
        'drawing with entities': Buffer.from(
          '<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
        ),
        'drawing that fetches': svg('<image href="file:///etc/passwd" width="9" height="9"/><use href="http://127.0.0.1:1/x"/>'),
        'deep drawing': svg(`${'<g>'.repeat(20_000)}${'</g>'.repeat(20_000)}`),
        'pdf of nothing': Buffer.from('%PDF-1.7\n'),
        'pdf of noise': Buffer.concat([Buffer.from('%PDF-'), bytes(2000)]),
      };
    });
    const names = [
      'x.csv',
      '',
      nul,
      `a${nul}b`,
      '../../../etc/passwd',
      'a'.repeat(201),
      'a'.repeat(9000),
      '\u202egnp.exe',
      '%',
      'a\r\nSet-Cookie: b=c',
      '😀',
      ' ',
      '..',
      'CON',
      '"; filename="b',
    ];
    const addressed = (name: string) => encodeURIComponent(name.toWellFormed());
    const targets = (name: string) => [
      ...['scorm', 'h5p'].map((kind) => `/api/packages?kind=${kind}`),
      `/api/users/evidence?file_name=${addressed(name)}`,
      ...['people', 'courses'].map((kind) => `/api/importer/imports?kind=${kind}&organisation=willowbrook-house&file_name=${addressed(name)}`),
    ];

    it('are taken, or refused with what is wrong with them', { timeout: 300_000 * hostileTimes }, async () => {
      const outcomes = new Map<string, Set<number>>();
      for (const [what, payload] of Object.entries(files))
        for (const url of targets('x.csv')) {
          const { statusCode } = await send(
            client,
            { method: 'POST', url, payload, headers: { 'content-type': 'application/octet-stream' } },
            `${url} with ${what}`,
          );
          const path = url.split('?')[0] as string;
          outcomes.set(path, (outcomes.get(path) ?? new Set()).add(statusCode));
        }
      expect(wrong).toEqual([]);
      // Each of them has read what it was sent: some is taken, and some refused by what it says.
      expect(Object.fromEntries([...outcomes].map(([path, s]) => [path, [...s].sort()]))).toEqual({
        '/api/packages': [201, 422],
        '/api/users/evidence': [201, 422],
        '/api/importer/imports': [201, 422],
      });
    });

    it('are refused under names, types and sizes that are none', { timeout: 60_000 }, async () => {
      for (const name of names)
        for (const url of targets(name).slice(2, 4))
          await send(
            client,
            { method: 'POST', url, payload: files['a table'] as Buffer, headers: { 'content-type': 'application/octet-stream' } },
            `${url} as a name`,
          );
      for (const url of [
        '/api/users/evidence?file_name=%ED%A0%80.csv',
        '/api/users/evidence?file_name=%FF',
        '/api/users/evidence?file_name=%',
        '/api/users/evidence?file_name=a&file_name=b',
        '/api/packages?kind=scorm&kind=h5p',
        '/api/packages?kind=__proto__',
        '/api/importer/imports?kind=people&organisation=%00&file_name=a',
      ])
        await send(client, { method: 'POST', url, payload: png, headers: { 'content-type': 'application/octet-stream' } }, url);
      const types = [
        '',
        'text/plain',
        'application/json',
        'application/zip; charset=\u00ff',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        `multipart/form-data; boundary=${'a'.repeat(5000)}`,
        'application/octet-stream;;;',
        '\\',
        'a/b/c',
        'APPLICATION/OCTET-STREAM',
      ];
      for (const url of [...targets('x.csv'), '/api/entities/willowbrook-house/whitelabel'])
        for (const type of types)
          await send(
            client,
            { method: 'POST', url, payload: files.noise as Buffer, headers: { 'content-type': type } },
            `${url} as ${type.slice(0, 40)}`,
          );
      for (const url of targets('x.csv')) {
        await send(client, { method: 'POST', url }, `${url} without a body`);
        await send(
          client,
          { method: 'POST', url, payload: png, headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' } },
          `${url} that is not packed`,
        );
        await send(
          client,
          { method: 'POST', url, payload: png, headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'br' } },
          `${url} packed in another way`,
        );
        await send(
          client,
          { method: 'POST', url, payload: png, headers: { 'content-type': 'application/octet-stream', 'content-length': '99999999999' } },
          `${url} that says it is large`,
        );
      }
      expect(wrong).toEqual([]);
    });

    it('come in forms that are none', { timeout: 60_000 }, async () => {
      const b = 'x-x-x';
      const part = (head: string, body: Buffer | string) =>
        Buffer.concat([Buffer.from(`--${b}\r\n${head}\r\n\r\n`, 'latin1'), Buffer.from(body as string), Buffer.from('\r\n')]);
      const file = (name: string, filename: string, body: Buffer | string) =>
        part(`Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/png`, body);
      const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
      const end = Buffer.from(`--${b}--\r\n`);
      const forms: Record<string, Buffer> = {
        nothing: Buffer.alloc(0),
        'only its end': end,
        'no end': field('_method', 'PATCH'),
        'cut in a file': file('logo', 'a.png', png).subarray(0, 120),
        'cut in a head': Buffer.from(`--${b}\r\nContent-Disposition: form-`),
        'no heads': Buffer.concat([part('', 'x'), end]),
        'a head that is none': Buffer.concat([part('Content-Disposition: \u00ff\u0000; name', 'x'), end]),
        'a head of 200 kB': Buffer.concat([part(`Content-Disposition: form-data; name="${'a'.repeat(200_000)}"`, 'x'), end]),
        'many fields': Buffer.concat([...Array.from({ length: 500 }, (_, i) => field(`f${i}`, 'x')), end]),
        'many files': Buffer.concat([...Array.from({ length: 50 }, () => file('logo', 'a.png', png)), end]),
        'the same file twice': Buffer.concat([file('logo', 'a.png', png), file('logo', 'b.png', png), end]),
        'a file where a field belongs': Buffer.concat([file('_method', 'a', 'PATCH'), file('organisationName', 'a', 'x'), end]),
        'another method': Buffer.concat([field('_method', 'DELETE'), end]),
        'a field that objects have': Buffer.concat([field('__proto__', 'x'), field('constructor', 'x'), field('hasOwnProperty', 'x'), end]),
        'an odd encoding': Buffer.concat([
          part(
            'Content-Disposition: form-data; name="x"\r\nContent-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=nonsense',
            '=====',
          ),
          end,
        ]),
        'an odd name in another way': Buffer.concat([
          part('Content-Disposition: form-data; name="logo"; filename*=nonsense\'\'%ED%A0%80%', png),
          end,
        ]),
        'a form in a form': Buffer.concat([
          part('Content-Disposition: form-data; name="x"\r\nContent-Type: multipart/mixed; boundary=y', '--y\r\n\r\nz\r\n--y--'),
          end,
        ]),
        ...Object.fromEntries(names.map((name) => [`a file called ${name.slice(0, 20)}`, Buffer.concat([file('logo', name, png), end])])),
        ...Object.fromEntries(
          [nul, `a${nul}b`, '\u202e', 'a'.repeat(4001), '-1', 'NaN', '1e400', '[]', '{}'].flatMap((value) =>
            ['mainColour', 'primary', 'greenScoreBandLowerMargin', 'organisationName', nul].map((name) => [
              `${name} as ${value.slice(0, 10)}`,
              Buffer.concat([field(name, value), end]),
            ]),
          ),
        ),
        ...Object.fromEntries(
          [
            'cut picture',
            'picture of 4 million terabytes',
            'jpeg of nothing',
            'drawing with entities',
            'drawing that fetches',
            'deep drawing',
            'noise',
            'scorm',
          ].map((what) => [what, Buffer.concat([file('favicon', 'a.png', files[what] as Buffer), end])]),
        ),
      };
      const paths = ['whitelabel', 'certificate-branding', 'certificate-branding/example'];
      for (const [what, payload] of Object.entries(forms))
        for (const path of paths)
          await send(
            client,
            {
              method: 'POST',
              url: `/api/entities/willowbrook-house/${path}`,
              payload,
              headers: { 'content-type': `multipart/form-data; boundary=${b}` },
            },
            `${path} with ${what}`,
          );
      expect(wrong).toEqual([]);
    });
  });

  it('to sign in, and of one’s account', { timeout: 300_000 * hostileTimes }, async () => {
    const ends = new Set(['logout', 'mobileLogout', 'lockSession', 'resetPassword', 'confirmSecondStep', 'updateEmail', 'endSession', 'logoutUser']);
    const all = [
      ...authEndpoints,
      ...signInEndpoints,
      ...(endpoints as readonly Endpoint[]).filter((e) => ['lockSession', 'unlockSession', 'recoverKey'].includes(e.id)),
    ] as readonly Endpoint[];
    const email = 'learner@willowbrook.test';
    const right: Record<string, unknown> = {
      email,
      password: demoPassword,
      current_password: demoPassword,
      password_confirmation: demoPassword,
      provider: 'google',
    };
    let someone = await fresh(email);
    let waits = 0;
    for (const e of all) {
      const shape = (of: Endpoint['body']) => (of ? (schemaOf(of, 'input') as Json) : null);
      const [params, query, body] = [shape(e.params), shape(e.query), shape(e.body)];
      for (let turn = 0; turn < 10 * hostileTimes; turn++) {
        await server.database.db.run(sql`delete from sign_in_failures`);
        const known = (value: unknown): unknown =>
          value && typeof value === 'object' && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, right[k] ?? v]))
            : value;
        const asked = {
          params: params ? fitting(params, '') : {},
          query: query ? known(fitting(query, '')) : {},
          body: body ? known(fitting(body, '')) : undefined,
        };
        const places = placesIn(asked).filter((p) => p.length > 1 || p[0] === 'body');
        const place = turn === 0 || places.length === 0 ? null : pick(places);
        const value = pick(hostile);
        const sent = (place ? withValueAt(asked, place, value) : asked) as typeof asked;
        const text = (v: unknown) => (typeof v === 'string' ? v : (JSON.stringify(v) ?? 'x')).slice(0, 3000).toWellFormed();
        const path = e.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text((sent.params as Record<string, unknown>)?.[name])));
        const search = new URLSearchParams(Object.entries((sent.query as object) ?? {}).map(([k, v]) => [k, text(v)]));
        const said = `${e.id} with ${shown(value)} at ${place?.join('.') ?? 'nothing'}`;
        const request = {
          method: e.method,
          url: `/api${path}?${search}`,
          ...(body ? { payload: JSON.stringify(sent.body) ?? '', headers: { 'content-type': 'application/json' } } : {}),
        };
        const { statusCode } = await send(someone, request, said);
        if (statusCode === 429) waits++;
        if (e.access === 'public') await send(null, request, `${said}, signed out`);
        if (ends.has(e.id) || statusCode === 401) someone = await fresh(email).catch(() => fresh('manager@willowbrook.test'));
      }
    }
    expect(wrong).toEqual([]);
    // All were validated, and every possible error occurred.
    expect(waits).toBe(0);
    expect([...codes]).toEqual(expect.arrayContaining(['invalid_input', 'wrong_credentials', 'link_expired', 'not_found', 'passkey_refused']));
  });

  describe('of the graph', () => {
    // By what they have: the library may be here in two copies, and knows only its own classes.
    type Field = { name: string; type: GraphType; args: readonly { name: string; type: GraphType }[] };
    type GraphType = { ofType?: GraphType; getFields?(): Record<string, Field>; getValues?(): readonly { name: string }[] };
    const namedOf = (type: GraphType): GraphType => (type.ofType ? namedOf(type.ofType) : type);
    const argOf = (type: GraphType, name: string): unknown => {
      if (type.ofType) return String(type).startsWith('[') && !String(type).endsWith('!') ? [argOf(type.ofType, name)] : argOf(type.ofType, name);
      if (type.getFields) return Object.fromEntries(Object.values(type.getFields()).map((f) => [f.name, argOf(f.type, f.name)]));
      if (type.getValues) return type.getValues()[0]?.name;
      const plain: Record<string, unknown> = { Int: 3, Boolean: true, ID: fitting({ type: 'string', pattern: '[0-9a-f]{8}-' }, name) };
      return plain[String(type)] ?? 'willowbrook-house';
    };
    const fieldsOf = (type: GraphType, depth: number): string => {
      const own = Object.values(namedOf(type).getFields?.() ?? {}).filter(
        (f) => f.args.every((a) => !String(a.type).endsWith('!')) && (depth > 0 || !namedOf(f.type).getFields),
      );
      return own.length === 0 ? '' : `{ ${own.map((f) => `${f.name} ${fieldsOf(f.type, depth - 1)}`).join(' ')} }`;
    };
    type GraphAnswer = { errors?: { message?: unknown; extensions?: { code?: unknown } }[]; data?: unknown };
    const graph = async (
      payload: string | Buffer,
      said: string,
      headers: Record<string, string> = { 'content-type': 'application/json' },
      by = client,
    ) => {
      const cookies = Object.fromEntries(by.cookies);
      const began = performance.now();
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/graphql',
        cookies,
        headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '', ...headers },
        payload,
      });
      if (performance.now() - began > slowestMs) wrong.push(`${said}: answered after ${Math.round(performance.now() - began)} ms`);
      let body: GraphAnswer & { code?: unknown } = {};
      try {
        body = JSON.parse(answer.body) as typeof body;
      } catch {
        wrong.push(`${said}: ${answer.statusCode} and no JSON: ${answer.body.slice(0, 200)}`);
      }
      if (answer.statusCode >= 500) wrong.push(`${said}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
      if (Array.isArray(body.errors)) {
        for (const { message, extensions } of body.errors) {
          codes.add(String(extensions?.code));
          if (wrong.some((w) => w.startsWith(`${said}: `))) break;
          if (!isErrorCode(extensions?.code) || extensions.code === 'internal' || extensions.code === 'unavailable' || typeof message !== 'string')
            wrong.push(`${said}: ${answer.statusCode} ${answer.body.slice(0, 300)}`);
        }
      } else if (answer.statusCode >= 400) judge(answer, said);
      return answer;
    };

    it('of each of its fields, with values that are none', { timeout: 300_000 * hostileTimes }, async () => {
      const roots = [
        ['query', schema.getQueryType()],
        ['mutation', schema.getMutationType()],
      ] as const;
      let answered = 0;
      for (const [kind, root] of roots)
        for (const field of Object.values((root?.getFields() ?? {}) as unknown as Record<string, Field>)) {
          const given = field.args.map((a) => `$${a.name}: ${a.type}`).join(', ');
          const passed = field.args.map((a) => `${a.name}: $${a.name}`).join(', ');
          const query = `${kind} ${given ? `(${given})` : ''} { ${field.name}${passed ? `(${passed})` : ''} ${fieldsOf(field.type, 2)} }`;
          for (let turn = 0; turn < (field.args.length > 0 ? 14 * hostileTimes : 1); turn++) {
            const variables = Object.fromEntries(field.args.map((a) => [a.name, argOf(a.type, a.name)]));
            const places = placesIn(variables).filter((p) => p.length > 0);
            const place = turn === 0 ? null : pick(places);
            const value = pick(hostile);
            const sent = place ? withValueAt(variables, place, value) : variables;
            const answer = await graph(
              JSON.stringify({ query, variables: sent }),
              `${kind} ${field.name} with ${shown(value)} at ${place?.join('.') ?? 'nothing'}`,
            );
            if ((JSON.parse(answer.body) as GraphAnswer).data) answered++;
          }
        }
      expect(wrong).toEqual([]);
      expect(answered).toBeGreaterThan(10);
    });

    it('in words that it does not know, too many, too deep, or round in a circle', { timeout: 60_000 }, async () => {
      const spread = Array.from({ length: 200 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`).join(' ');
      const documents: Record<string, string> = {
        nothing: '',
        blank: ' ',
        'U+0000': nul,
        'half a symbol': `{ courses(search: "${halves[0]}") { data { id } } }`,
        'an escaped half': '{ courses(search: "\\ud800") { data { id } } }',
        'an escaped U+0000': '{ courses(search: "\\u0000") { data { id } } }',
        'no query at all': '<xml>',
        'one bracket': '{',
        'many brackets': '{a'.repeat(60_000),
        'deep lists': `{ pathway(id: ${'['.repeat(90_000)}) { id } }`,
        'deep objects': `{ pathway(id: ${'{a:'.repeat(50_000)}) { id } }`,
        'deep types': `query ($a: ${'['.repeat(90_000)}Int) { me { name } }`,
        'deep closed lists': `{ pathway(id: ${'['.repeat(2000)}1${']'.repeat(2000)}) { id } }`,
        'deep closed selections': `{ me ${'{ a '.repeat(2000)}${'}'.repeat(2000)} }`,
        'many aliases': `{ ${Array.from({ length: 5000 }, (_, i) => `a${i}: eventCounts { current }`).join(' ')} }`,
        'many fields': `{ ${'me { name } '.repeat(10_000)} }`,
        'many directives': `{ me ${'@skip(if: false) '.repeat(9000)} { name } }`,
        'many unknown directives': `{ me ${'@a '.repeat(50_000)} { name } }`,
        'many variables': `query (${Array.from({ length: 8000 }, (_, i) => `$a${i}: Int`).join(' ')}) { me { name } }`,
        'many operations': 'query { me { name } } '.repeat(5000),
        'many named operations': Array.from({ length: 5000 }, (_, i) => `query a${i} { me { name } }`).join(' '),
        'a fragment of itself': '{ ...a } fragment a on Query { ...a }',
        'fragments in a circle': '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a me { name } }',
        'fragments that double': `{ ...f0 } ${spread} fragment f200 on Query { me { name } }`,
        'fragments in a circle, wide': `{ ...f0 } ${Array.from({ length: 60 }, (_, i) => `fragment f${i} on Query { ${Array.from({ length: 60 }, (_x, j) => `...f${j}`).join(' ')} }`).join(' ')}`,
        'a fragment of nothing': '{ ...nothing }',
        'fields that conflict': `{ ${Array.from({ length: 400 }, (_, i) => `courses(page: ${i}) { data { id } }`).join(' ')} }`,
        'nested fields that conflict': `{ ${'pathways { data { steps { course_id } people { data { steps { state } } } } } '.repeat(60)} }`,
        'a large number': '{ courses(page: 99999999999999999999) { data { id } } }',
        'a page far off': '{ courses(first: 2147483647, page: 2147483647) { data { id } } }',
        'a page before the first': '{ courses(first: -1, page: -5) { data { id } } }',
        'no rows': '{ courses(first: 0, page: 0) { data { id } } }',
        subscription: 'subscription { me { name } }',
        'a schema': 'type Query { a: Int }',
        introspection: '{ __schema { types { fields { type { fields { type { name } } } } } } }',
        'block texts': `{ courses(search: """${'\\"""'.repeat(20_000)}""") { data { id } } }`,
        comments: `${'#\n'.repeat(60_000)}{ me { name } }`,
      };
      for (const [what, query] of Object.entries(documents)) await graph(JSON.stringify({ query }), what);
      const me = '{ me { name } }';
      for (const [what, body] of Object.entries({
        'a list': [{ query: me }],
        'a text': 'x',
        'a number': 5,
        null: null,
        'no query': {},
        'a query that is none': { query: { a: 1 } },
        'a list of queries': { query: [me] },
        'variables that are a text': { query: me, variables: '{}' },
        'variables that are a list': { query: me, variables: [1] },
        'variables of objects': { query: me, variables: { __proto__x: 1, constructor: { a: 1 } } },
        'an operation that is none': { query: me, operationName: { a: 1 } },
        'an operation that is not there': { query: me, operationName: nul },
        'extensions that are none': { query: me, extensions: 'x' },
        'a kept query': { extensions: { persistedQuery: { version: 1, sha256Hash: nul } } },
        'more than it knows': { query: me, other: 1 },
      }))
        await graph(JSON.stringify(body), what);
      for (const [what, text] of Object.entries({
        cut: '{"query":"{ me',
        nothing: '',
        noise: '\u0000\u0001',
        deep: `{"query":"{ me { name } }","variables":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
      }))
        await graph(text, what);
      for (const type of [
        '',
        'text/plain',
        'application/graphql',
        'application/graphql+json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/json; charset=nonsense',
        'application/octet-stream',
        'application/zip',
        '\\',
      ])
        for (const text of [
          JSON.stringify({ query: me }),
          `--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${'['.repeat(5000)}\r\n--x--\r\n`,
          `query=${encodeURIComponent(me)}`,
          nul,
        ])
          await graph(text, `as ${type}: ${text.slice(0, 10)}`, { 'content-type': type });
      for (const accept of [
        '',
        '*/*',
        'text/html',
        'text/event-stream',
        'multipart/mixed',
        'application/graphql-response+json',
        'nonsense',
        'a'.repeat(5000),
      ])
        for (const query of [me, '{', '{ nothing }'])
          await graph(JSON.stringify({ query }), `accept ${accept.slice(0, 30)}`, { 'content-type': 'application/json', accept });
      for (const [method, url] of [
        ['GET', '/api/graphql?query=%7Bme%7Bname%7D%7D'],
        ['GET', '/api/graphql'],
        ['DELETE', '/api/graphql'],
        ['PUT', '/api/graphql'],
        ['POST', '/api/graphql?query=%00&variables=%7B'],
        ['POST', '/api/graphql/%00'],
      ] as const)
        await send(
          client,
          { method, url, payload: method === 'GET' ? undefined : '{}', headers: { 'content-type': 'application/json' } } as Sent,
          `${method} ${url}`,
        );
      expect(wrong).toEqual([]);
      expect([...codes]).toContain('malformed');
    });
  });

  it('in paths, queries and headers', { timeout: 300_000 * hostileTimes }, async () => {
    const raw = [
      '%00',
      '%ED%A0%80',
      '%FF',
      '%',
      '%2',
      '..%2f..%2fetc',
      '%2e%2e',
      'a'.repeat(5000),
      '__proto__',
      '-1',
      '9223372036854775808',
      '1e400',
      '%F0%9F%98%80',
      '%0d%0aa:b',
      '{}',
      '*',
      ';',
      '%u0000',
      `${'%2f'.repeat(200)}`,
    ];
    const search = [
      'page=%00',
      'page=1&page=2',
      'page[]=1',
      'page[a]=1',
      '__proto__=1',
      '__proto__[a]=1',
      'page=1e999',
      'page=-1',
      'per_page=99999999999',
      'page=NaN',
      '%=%',
      '%ED%A0%80=%FF',
      '=',
      '&'.repeat(5000),
      `q=${'a'.repeat(20_000)}`,
      `search=${'%25_'.repeat(3000)}`,
      'search=%00',
      'sort=%27',
      '?',
    ];
    const latin = (n: number) => String.fromCharCode(n);
    const headers: Record<string, string>[] = [
      ...[
        'Idempotency-Key',
        'X-Lantern-Actor',
        'X-Acting-As',
        'If-None-Match',
        'If-Modified-Since',
        'Range',
        'Accept',
        'Accept-Encoding',
        'Accept-Language',
        'Origin',
        'Referer',
        'User-Agent',
        'X-Forwarded-For',
        'X-Forwarded-Proto',
        'X-HTTP-Method-Override',
        'Content-Language',
        'Sec-Fetch-Site',
        'Host',
      ].flatMap((name) =>
        ['', '%', '%00', latin(0xff), '__proto__', 'a'.repeat(8000), 'bytes=5-1,-9,x', '*', 'W/"\\"', '"', ',,,,', randomUUID()].map((value) => ({
          [name]: value,
        })),
      ),
      ...['', 'Bearer', 'Bearer %00', `Bearer ${latin(0xe4)}`, `Bearer ${'a'.repeat(8000)}`, 'Basic OjpAQA==', 'Digest x'].map((value) => ({
        Authorization: value,
      })),
      ...[
        '=',
        ';',
        '%',
        'lantern_session',
        'lantern_session=%00',
        'lantern_session=%',
        `a=${latin(0xff)}`,
        'XSRF-TOKEN=%E0%A4%A',
        `${'a=b; '.repeat(2000)}`,
        '__proto__=1',
        'session="',
      ].map((value) => ({ Cookie: value })),
      ...['%', '%E0%A4%A', '', 'a.b.c', latin(0xff), 'a'.repeat(8000)].map((value) => ({ 'X-XSRF-TOKEN': value })),
      ...[
        '',
        'x',
        'application/json; charset=utf-16',
        'application/json; charset=nonsense',
        'application/json,application/json',
        'application/x-www-form-urlencoded',
        '/',
      ].map((value) => ({ 'Content-Type': value })),
      ...['gzip', 'gzip, gzip', 'br', 'x', 'deflate', 'identity'].map((value) => ({ 'Content-Encoding': value })),
    ];
    let admin = client;
    for (const e of endpoints as readonly Endpoint[]) {
      if (['logout', 'mobileLogout', 'lockSession', 'jobEvents'].includes(e.id)) continue;
      const body = e.body && !e.upload ? JSON.stringify(fitting(schemaOf(e.body, 'input') as Json, '')) : undefined;
      const path = (value: () => string) => `/api${e.path.replace(/\{\w+\}/g, value)}`;
      const usual = () => fitting({ type: 'string', pattern: '[0-9a-f]{8}-' }, '') as string;
      const asked = async (url: string, more: Record<string, string>) => {
        const sent = {
          method: e.method,
          url,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
          ...(body === undefined ? {} : { payload: body }),
        };
        const { statusCode } = await send(admin, sent, `${e.method} ${url.slice(0, 80)} ${shown(more)}`);
        if (statusCode === 401 && !('Authorization' in more) && !('Cookie' in more)) admin = await fresh();
      };
      if (e.path.includes('{'))
        for (let i = 0; i < 2 * hostileTimes; i++)
          await asked(
            path(() => pick(raw)),
            {},
          );
      for (let i = 0; i < 2 * hostileTimes; i++) await asked(`${path(usual)}?${pick(search)}`, {});
      for (let i = 0; i < 2 * hostileTimes; i++) await asked(path(usual), pick(headers));
    }
    for (const value of headers)
      for (const [method, url] of [
        ['GET', '/api/auth/user'],
        ['POST', '/api/auth/permission-check'],
      ] as const)
        await send(
          admin,
          { method, url, headers: value, ...(method === 'POST' ? { payload: '{"permission_ids":[21]}' } : {}) },
          `${method} ${url} ${shown(value)}`,
        );
    for (const value of raw)
      for (const before of ['/api/', '/manifest.webmanifest?slug=', '/docs/api/', '/dev/mail?', '/api/graphql?query='])
        await send(admin, { method: 'GET', url: `${before}${value}` }, `GET ${before}${value.slice(0, 40)}`);
    for (const method of ['PUT', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) {
      const { statusCode } = await server.app.inject({ method: method as 'GET', url: '/api/auth/user' });
      if (statusCode >= 500) wrong.push(`${method}: ${statusCode}`);
    }
    expect(wrong).toEqual([]);
    expect((await server.app.inject({ url: '/api/check' })).statusCode).toBe(200);
  });
});

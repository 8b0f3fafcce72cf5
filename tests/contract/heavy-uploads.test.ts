import { readFileSync, writeFileSync } from 'node:fs';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isErrorCode } from '#contract/errors.ts';
import { h5pFiles, scormManifest } from '#tests/support/archives.ts';
import { plainPng } from '#tests/support/plain-png.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { signedIn } from '#tests/support/signed-in.ts';
import { workbook } from '#tests/support/workbook.ts';

/**
 * Small files that become large when they are read, sent to a real server while somebody else uses it: they are refused (or
 * accepted, if nothing has to be read from them), and everybody else gets answers in time throughout.
 */
const answeredWithinMs = 3000;
/** Or this multiple of an undisturbed answer just before, because the machine may be busy. */
const timesUndisturbed = 20;
/** Additional memory that the server may use: a reader has 512 MB, a picture its own process. */
const mostMoreMb = 900;

const packed = (files: Record<string, string | Buffer>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content])), {
      level: 9,
    }),
  );
const sheet = (rows: string): Buffer => {
  const parts = unzipSync(workbook([['email']]));
  return Buffer.from(
    zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`) }, { level: 9 }),
  );
};
const laughs = (most: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><defs><rect id="a0" width="9" height="9"/>${Array.from(
    { length: most },
    (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use href="#a${most}"/></svg>`;
const form = (bytes: Buffer) =>
  Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data; name="logo"; filename="a.svg"\r\n\r\n'), bytes, Buffer.from('\r\n--x--\r\n')]);

const table = '/importer/imports?kind=people&organisation=willowbrook-house&file_name=a.csv';
type Attack = { name: string; path: string; bytes: () => Buffer; type?: string; refused: boolean };
const attacks: Attack[] = [
  {
    name: 'a package of 14 kB with a manifest of 3.7 million elements',
    path: '/packages?kind=scorm',
    bytes: () => packed({ 'imsmanifest.xml': scormManifest({ items: '<a/>'.repeat(3_700_000) }), 'index.html': '' }),
    refused: true,
  },
  {
    name: 'a manifest of one element with 2 million attributes',
    path: '/packages?kind=scorm',
    bytes: () => packed({ 'imsmanifest.xml': `<manifest ${'a="1" '.repeat(2_000_000)}/>` }),
    refused: true,
  },
  {
    name: 'an activity with JSON of 6 million lists',
    path: '/packages?kind=h5p',
    bytes: () => packed(h5pFiles({ 'content/content.json': `[${'[],'.repeat(6_000_000)}[]]` })),
    refused: true,
  },
  {
    name: 'an activity with JSON 9 million deep',
    path: '/packages?kind=h5p',
    bytes: () => packed(h5pFiles({ 'content/content.json': '['.repeat(9_000_000) + ']'.repeat(9_000_000) })),
    refused: true,
  },
  { name: 'a table of 20 million cells', path: table, bytes: () => Buffer.from(`${','.repeat(199)}\n`.repeat(99_000)), refused: true },
  { name: 'a table of 20 million empty lines', path: table, bytes: () => Buffer.alloc(19_900_000, '\n'), refused: true },
  { name: 'a table of quotation marks', path: table, bytes: () => Buffer.alloc(19_900_000, '"'), refused: true },
  { name: 'a workbook of 15 million cells', path: table, bytes: () => sheet(`<row r="1">${'<c/>'.repeat(15_000_000)}</row>`), refused: true },
  {
    name: 'a workbook of rows far apart',
    path: table,
    bytes: () => sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>email</t></is></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    refused: true,
  },
  { name: 'a picture of 900 million pixels', path: '/users/evidence?file_name=a.png', bytes: () => plainPng(30_000), refused: true },
  { name: 'a picture of 90 million pixels', path: '/users/evidence?file_name=a.png', bytes: () => plainPng(9500), refused: false },
  {
    name: 'a drawing that repeats itself a billion times',
    path: '/entities/willowbrook-house/whitelabel',
    bytes: () => form(Buffer.from(laughs(9))),
    type: 'multipart/form-data; boundary=x',
    refused: true,
  },
  {
    name: 'a document of nothing',
    path: '/users/evidence?file_name=a.pdf',
    bytes: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9_900_000, '<')]),
    refused: false,
  },
  {
    name: 'a request of a million brackets',
    path: '/auth/permission-check',
    bytes: () => Buffer.from(`{"permission_ids":${'['.repeat(1_000_000)}`),
    type: 'application/json',
    refused: true,
  },
];

describe('what becomes large where it is read', () => {
  let server: RealServer;
  let uploader: Record<string, string>;
  let reader: Record<string, string>;
  beforeAll(async () => {
    server = await RealServer.create();
    uploader = await signedIn(server, 'super@lantern.test');
    reader = await signedIn(server, 'manager@willowbrook.test');
  }, 60_000);
  afterAll(() => server.close());

  const timed = async (path: string) => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api${path}`, { headers: reader });
    await answer.arrayBuffer();
    return { path, status: answer.status, ms: performance.now() - began };
  };
  const asked = ['/check', '/auth/user', '/users', '/devices'];
  const heldMb = (what: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1000;

  it.for(attacks.map((a) => [a.name, a] as const))('%s', { timeout: 90_000 }, async ([, { path, bytes, type, refused }]) => {
    const body = bytes();
    const usual = Math.max(...(await Promise.all(asked.map(timed))).map((a) => a.ms));
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const before = heldMb('VmRSS');
    let done = false;
    const upload = fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { ...uploader, 'Content-Type': type ?? 'application/octet-stream' },
      body: new Uint8Array(body),
    }).finally(() => {
      done = true;
    });
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    do {
      answers.push(...(await Promise.all(asked.map(timed))));
    } while (!done);
    const answer = await upload;
    const said = (await answer.json()) as { code?: string; message?: string };
    expect(answers.filter((a) => a.status !== 200)).toEqual([]);
    expect(answers.filter((a) => a.ms > Math.max(answeredWithinMs, timesUndisturbed * usual))).toEqual([]);
    if (refused) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(isErrorCode(said.code)).toBe(true);
      expect(said.message).toMatch(/\w+ \w+/);
    } else expect(answer.status).toBe(201);
    expect(heldMb('VmHWM') - before).toBeLessThan(mostMoreMb);
  });
});

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { OwnBranding, Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { readConfig } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Part = string | { file: Buffer; name: string };
type Answer = { data: Whitelabel; code: string; errors: Record<string, string[]> };
const boundary = 'part-of-a-form';
const formOf = (parts: Record<string, Part>): Buffer =>
  Buffer.concat([
    ...Object.entries(parts).flatMap(([name, part]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      typeof part === 'string'
        ? Buffer.from(`\r\n\r\n${part}\r\n`)
        : Buffer.concat([Buffer.from(`; filename="${part.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`), part.file, Buffer.from('\r\n')]),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
const picture = (width: number, height: number, kind: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width, height, channels: 3, background: '#0b7a75' } })
    [kind]()
    .toBuffer();
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><script>alert(1)</script><rect width="20" height="10" fill="red"/></svg>',
);

describe('a branding', () => {
  let server: TestApp;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const change = (slug: string, parts: Record<string, Part>, client = admin) =>
    client.json<Answer>('POST', `/entities/${slug}/whitelabel`, formOf({ _method: 'PATCH', ...parts }), {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
  const seen = async (query: string) => (await server.client().json<Answer>('GET', `/whitelabel?${query}`)).body.data;

  it('is taken from above, field by field, until something is chosen', async () => {
    const before = await seen('slug=willowbrook-house');
    expect(before).toMatchObject({ slug: 'willowbrook-house', companyName: 'Willowbrook Care Group', entityAltName: 'Service' });
    expect(
      (await change('willowbrook-house', { companyName: ' Willowbrook House ', accent: '#123456', amberScoreBandLowerMargin: '50' })).status,
    ).toBe(200);
    expect(await seen('slug=willowbrook-house')).toMatchObject({
      companyName: 'Willowbrook House',
      entityAltName: 'Service',
      colours: { ...before.colours, accent: '#123456' },
      amberScoreBandLowerMargin: 50,
    });
    expect((await seen('slug=willowbrook')).companyName).toBe('Willowbrook Care Group');
    await change('willowbrook-house', { companyName: '', accent: '', amberScoreBandLowerMargin: '' });
    expect(await seen('slug=willowbrook-house')).toEqual(before);
    expect((await admin.json<{ data: { own: OwnBranding } }>('GET', '/entities/willowbrook-house/whitelabel')).body.data.own).toEqual({});
  });

  it('is found by the host’s first name, and an unknown one has the defaults', async () => {
    expect((await seen('subdomain=harbour-view')).primaryComplianceAltName).toBe('Must do');
    expect((await seen('subdomain=willowbrook-house')).slug).toBe('willowbrook-house');
    expect(await seen('subdomain=nobody')).toEqual(defaultWhitelabel);
  });

  it('re-encodes every picture, SVG included, and makes icons of one', async () => {
    const { status, body } = await change('willowbrook', {
      logo: { file: svg, name: 'logo.svg' },
      loginLogo: { file: await picture(3000, 200, 'jpeg'), name: 'x.exe' },
      favicon: { file: await picture(64, 64), name: 'i.png' },
    });
    expect(status).toBe(200);
    const bytesOf = async (address: string | null) => {
      const answer = await server.client().send('GET', String(address).replace('/api', ''));
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
      return answer.rawPayload;
    };
    expect(await sharp(await bytesOf(body.data.logo)).metadata()).toMatchObject({ format: 'png', height: 160 });
    expect((await sharp(await bytesOf(body.data.loginLogo)).metadata()).width).toBe(960);
    const kept = await server.database.db.one<{ icons: Record<string, string> }>(
      sql`select w.document -> 'icons' as icons from whitelabels w join entities e on e.id = w.entity_id where e.slug = 'willowbrook'`,
    );
    for (const [icon, side] of [
      ['small', 192],
      ['large', 512],
      ['maskable', 512],
    ] as const)
      expect(await sharp(await bytesOf(kept?.icons[icon] ?? null)).metadata()).toMatchObject({ width: side, height: side });
  });

  it('gives out no file that is not part of a branding', async () => {
    const course = await server.database.db.one<{ hash: string }>(sql`select hash from media limit 1`);
    expect((await server.client().send('GET', `/whitelabel/pictures/${course?.hash}.png`)).statusCode).toBe(404);
  });

  it.each<[string, Record<string, Part>, string, RegExp]>([
    ['a colour that is none', { primary: 'red' }, 'primary', /for example #04b5e3/],
    ['a number that is none', { amberScoreBandLowerMargin: 'many' }, 'amberScoreBandLowerMargin', /./],
    ['amber above green', { amberScoreBandLowerMargin: '90' }, 'greenScoreBandLowerMargin', /above amber \(90 %\)/],
    ['a link that runs', { logoRedirectUrl: 'javascript:alert(1)' }, 'logoRedirectUrl', /https/],
    ['a field nobody knows', { slug: 'other' }, 'slug', /does not exist/],
    ['an address in the place of a file', { logo: 'https://elsewhere.test/x.png' }, 'logo', /Send a file/],
    ['a file that is no picture', { logo: { file: Buffer.from('MZ not a picture'), name: 'logo.png' } }, 'logo', /cannot be used/],
    ['a broken picture', { logo: { file: Buffer.from('89504e470d0a1a0a0000', 'hex'), name: 'logo.png' } }, 'logo', /cannot be used/],
    ['a file that is too large', { logo: { file: Buffer.alloc(2_600_000, 1), name: 'logo.png' } }, 'logo', /too large: 2 MB/],
    ['a file that nobody awaits', { secret: { file: Buffer.from('x'), name: 'x' } }, 'secret', /No file/],
    ['another method', { _method: 'DELETE' }, '_method', /PATCH/],
    ['a word that is too long', { entityAltName: 'x'.repeat(61) }, 'entityAltName', /60 characters/],
  ])('refuses %s and names it; nothing is changed', async (_what, parts, field, words) => {
    const before = await seen('slug=willowbrook');
    const { status, body } = await change('willowbrook', parts);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(body.errors[field]?.[0]).toMatch(words);
    expect(await seen('slug=willowbrook')).toEqual(before);
  });

  it('refuses a picture of more pixels than can be drawn', async () => {
    const large = await sharp({ create: { width: 9000, height: 5000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect((await change('willowbrook', { logo: { file: large, name: 'l.png' } })).body.errors.logo?.[0]).toMatch(/40 megapixels/);
  });

  it('is changed by those who may, for what they see, and noted', async () => {
    const [manager, outsider] = [server.client(), server.client()];
    await manager.signIn('trainer@willowbrook.test');
    await outsider.signIn('admin@brightpath.test');
    expect((await change('willowbrook-house', { companyName: 'X' }, manager)).status).toBe(403);
    expect((await change('willowbrook', { companyName: 'X' }, outsider)).status).toBe(404);
    await change('willowbrook', { companyName: 'Willowbrook' });
    const { body } = await admin.json<{ data: AuditEntry[] }>('GET', '/audit-log?per_page=1');
    expect(body.data[0]).toMatchObject({
      subject: { kind: 'branding', name: 'Willowbrook Care Group' },
      before: { companyName: 'Willowbrook Care Group' },
      after: { companyName: 'Willowbrook' },
    });
  });

  it('is worn by e-mails', async () => {
    await server.client().json('GET', '/sanctum/csrf-cookie');
    const person = server.client();
    await person.send('GET', '/sanctum/csrf-cookie');
    await person.json('POST', '/auth/forgot-password', { email: 'learner@harbourview.test' });
    const { db } = server.database;
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
    const mail = createMailer(config, db, brandOfAddress);
    await expect.poll(async () => (await mail.kept()).find((m) => m.recipient === 'learner@harbourview.test')?.html).toContain('#2b4c8c');
  });

  it('says what certificates say, and shows one before anything is kept', async () => {
    const to = (path: string, parts: Record<string, Part>) =>
      admin.send('POST', `/entities/willowbrook/certificate-branding${path}`, formOf({ _method: 'PATCH', ...parts }), {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });
    const wording = { heading: 'Well done', showScore: 'false', signature: { file: await picture(300, 100), name: 's.png' } };
    const example = await to('/example', wording);
    expect(example.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const read = async () => (await admin.json<{ data: { own: object } }>('GET', '/entities/willowbrook/certificate-branding')).body.data.own;
    expect(await read()).toEqual({});
    expect((await to('', wording)).statusCode).toBe(200);
    expect(await read()).toEqual({ heading: 'Well done', showScore: false, signature: expect.stringMatching(/\.png$/) });
    const result = await server.database.db.one<{ id: string }>(
      sql`select r.id from results r join users u on u.id = r.user_id where u.email = 'learner@willowbrook.test' limit 1`,
    );
    expect((await admin.send('GET', `/results/${result?.id}/certificate`)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

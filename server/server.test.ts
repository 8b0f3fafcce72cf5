import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftsFolder, keepClear, uploadsFolder } from '#server/files/leftovers.ts';
import { readConfig, readServerConfig, settingsTable } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { hashPassword, verifyPassword } from '#server/security/passwords.ts';
import { isCsrfToken, newCsrfToken } from '#server/security/secrets.ts';
import { startServer } from '#server/start.ts';

describe('settings', () => {
  it('are refused with every wrong one named', () => {
    expect(() => readConfig({ PORT: 'x', DATABASE_URL: 'mysql://x' })).toThrow(/PORT[\s\S]*DATABASE_URL/);
    expect(() => readConfig({ TLS_CERT: 'a.pem' })).toThrow('together');
    // Packages never run on the app's own origin.
    expect(() => readConfig({ PORT: '4000', CONTENT_PORT: '4000' })).toThrow('CONTENT_ORIGIN');
    expect(() => readConfig({ PUBLIC_URL: 'https://a.example', CONTENT_ORIGIN: 'https://a.example/content' })).toThrow('CONTENT_ORIGIN');
    // Unless requested, and then only that.
    expect(readConfig({ PUBLIC_URL: 'https://a.example', ONE_ORIGIN: 'true' }).CONTENT_ORIGIN).toBe('https://a.example');
    expect(() => readConfig({ ONE_ORIGIN: 'true', CONTENT_ORIGIN: 'https://content.example' })).toThrow('contradict');
  });
  it('are refused for what they mean, and normalised', () => {
    expect(readConfig({ PUBLIC_URL: 'https://learn.example.org/' }).PUBLIC_URL).toBe('https://learn.example.org');
    const wrong: [string, string][] = [
      ['PUBLIC_URL', 'ftp://learn.example.org'],
      ['PUBLIC_URL', 'https://example.org/lantern'],
      ['PUBLIC_URL', 'https://user:secret@example.org'],
      ['PUBLIC_URL', 'learn.example.org'],
      ['CONTENT_ORIGIN', 'ftp://content.example.org'],
      ['CONTENT_ORIGIN', 'https://content.example.org/x'],
      ['SMTP_URL', 'smtp://'],
      ['SMTP_URL', 'https://mail.example.org'],
      ['MAIL_FROM', 'Lantern'],
      ['DATABASE_URL', 'postgres://user:p#ss:word@host:x/y'],
      ['GOOGLE_ISSUER', 'file:///etc/passwd'],
    ];
    for (const [name, value] of wrong) expect(() => readConfig({ [name]: value }), `${name}=${value}`).toThrow(name);
    expect(() => readServerConfig({ APP_DIR: '/nope' })).toThrow(/APP_DIR.*index\.html/);
    expect(() => readServerConfig({ NODE_ENV: 'production' })).toThrow('PUBLIC_URL: is required');
    expect(() => readServerConfig({ TLS_CERT: '/nope.pem', TLS_KEY: '/nope.key' })).toThrow(/TLS_CERT[\s\S]*TLS_KEY/);
  });
  it('name the port that another program uses before anything else is done', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    await expect(startServer({ PORT, CONTENT_PORT: '0', DATA_DIR: '/proc/nowhere' })).rejects.toThrow(`PORT=${PORT}`);
    await expect(startServer({ PORT: '0', CONTENT_PORT: PORT, DATA_DIR: '/proc/nowhere' })).rejects.toThrow(`CONTENT_PORT=${PORT}`);
    other.close();
  });
  it('have no demo data in production unless asked', () => {
    expect(readConfig({ NODE_ENV: 'production' }).DEMO).toBe(false);
    expect(readConfig({}).DEMO).toBe(true);
    expect(readConfig({ DEMO: 'group' }).DEMO).toBe('group');
    expect(() => readConfig({ DEMO: 'large' })).toThrow('DEMO');
    expect(readConfig({ PORT: '4000' }).PUBLIC_URL).toBe('http://localhost:4000');
  });
  it('say nobody’s password when one of them is wrong', () => {
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'FILES_URL', 'GOOGLE_CLIENT_SECRET']) {
      let said = '';
      try {
        readConfig({ [name]: 'mysql://lantern:hunter2@host/db', PORT: 'x' });
      } catch (error) {
        said = (error as Error).message;
      }
      expect(said).toContain('PORT');
      expect(said).not.toContain('hunter2');
    }
  });
  it('believe as many proxies as they say, or those they name, and never all', () => {
    expect(readConfig({}).TRUST_PROXY).toBe(false);
    expect(readConfig({ TRUST_PROXY: 'true' }).TRUST_PROXY).toBe(1);
    expect(readConfig({ TRUST_PROXY: '2' }).TRUST_PROXY).toBe(2);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).TRUST_PROXY).toEqual(['10.0.0.0/8', '::1']);
    for (const wrong of ['10.0.0.0/33', 'proxy.local', '-1', '10.0.0.1/a']) expect(() => readConfig({ TRUST_PROXY: wrong })).toThrow('TRUST_PROXY');
  });
  it('know whether other machines are let in', () => {
    expect(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::', '192.168.1.7'].map((HOST) => readConfig({ HOST }).open)).toEqual([
      ...[false, false, false],
      ...[true, true, true],
    ]);
  });
  it('all stand in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    for (const { name } of settingsTable) expect(readme, name).toContain(`\`${name}\``);
  });
});

describe('files that a killed server has left half written', () => {
  it('are deleted at the next start, but where others share the folder only when nobody can be writing them any more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lantern-leftovers-'));
    const places = { [uploadsFolder(folder)]: '.zip', [draftsFolder(folder)]: '.part', [join(folder, 'files')]: '.part' };
    const make = () => {
      for (const [place, end] of Object.entries(places)) {
        mkdirSync(place, { recursive: true });
        for (const name of ['old', 'young']) writeFileSync(join(place, name + end), 'half of it');
        utimesSync(join(place, `old${end}`), new Date(0), new Date(0));
      }
      mkdirSync(join(folder, 'files', 'ab'), { recursive: true });
      writeFileSync(join(folder, 'files', 'ab', 'whole'), 'all of it');
    };
    const left = () => Object.keys(places).map((place) => readdirSync(place).sort());
    const start = async (alone: boolean) =>
      (
        await keepClear(folder, {
          alone,
          now: () => new Date(),
          onError: (error) => {
            throw error;
          },
        })
      )();
    await start(true);
    make();
    await start(false);
    expect(left()).toEqual([['young.zip'], ['young.part'], ['ab', 'young.part']]);
    make();
    await start(true);
    expect(left()).toEqual([[], [], ['ab']]);
    expect(existsSync(join(folder, 'files', 'ab', 'whole'))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

describe('a statement', () => {
  it('numbers its places, also where one is joined into another', () => {
    const inner = sql`b = ${2} and c = ${3}`;
    expect(sql`select ${1} where ${inner} limit ${4}`).toEqual({ text: 'select $1 where b = $2 and c = $3 limit $4', values: [1, 2, 3, 4] });
  });
});

describe('secrets', () => {
  it('are verified against their own parameters', async () => {
    const hash = await hashPassword('Lantern-demo-1');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('Lantern-demo-1', hash)).toBe(true);
    expect(await verifyPassword('lantern-demo-1', hash)).toBe(false);
    expect(await verifyPassword('anything', null)).toBe(false);
  });
  it('bind an anti-forgery token to one session', () => {
    const token = newCsrfToken('key', 'session');
    expect(isCsrfToken('key', 'session', token)).toBe(true);
    expect(isCsrfToken('key', 'other', token)).toBe(false);
    expect(isCsrfToken('other', 'session', token)).toBe(false);
    expect(isCsrfToken('key', 'session', 'nonsense')).toBe(false);
  });
});

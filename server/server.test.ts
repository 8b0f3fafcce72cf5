import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearAbandonedUploads, uploadsFolder } from '#server/features/packages/uploads.ts';
import { readConfig, settingsTable } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { hashPassword, verifyPassword } from '#server/http/passwords.ts';
import { isCsrfToken, newCsrfToken } from '#server/http/secrets.ts';

describe('settings', () => {
  it('are refused with every wrong one named', () => {
    expect(() => readConfig({ PORT: 'x', DATABASE_URL: 'mysql://x' })).toThrow(/PORT[\s\S]*DATABASE_URL/);
    expect(() => readConfig({ TLS_CERT: 'a.pem' })).toThrow('together');
    // Packages never run on the app's own origin.
    expect(() => readConfig({ PORT: '4000', CONTENT_PORT: '4000' })).toThrow('CONTENT_ORIGIN');
    expect(() => readConfig({ PUBLIC_URL: 'https://a.example', CONTENT_ORIGIN: 'https://a.example/content' })).toThrow('CONTENT_ORIGIN');
    // Unless that is asked for, and then only that.
    expect(readConfig({ PUBLIC_URL: 'https://a.example', ONE_ORIGIN: 'true' }).CONTENT_ORIGIN).toBe('https://a.example');
    expect(() => readConfig({ ONE_ORIGIN: 'true', CONTENT_ORIGIN: 'https://content.example' })).toThrow('contradict');
  });
  it('have no demo data in production unless asked', () => {
    expect(readConfig({ NODE_ENV: 'production' }).DEMO).toBe(false);
    expect(readConfig({}).DEMO).toBe(true);
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

describe('uploads', () => {
  it('that were abandoned are deleted when the server starts, others are not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lantern-uploads-'));
    await clearAbandonedUploads(folder, new Date());
    const [old, young] = ['old.zip', 'young.zip'].map((name) => join(uploadsFolder(folder), name)) as [string, string];
    for (const path of [old, young]) writeFileSync(path, 'half of it');
    utimesSync(old, new Date(0), new Date(0));
    await clearAbandonedUploads(folder, new Date());
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
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

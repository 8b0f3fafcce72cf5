import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { createMailer, type Mailer } from '#server/mail/mailer.ts';
import { startSmtpSink } from '#tests/support/smtp-sink.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('outgoing e-mail', () => {
  let sink: Awaited<ReturnType<typeof startSmtpSink>>;
  let server: TestApp;
  let mail: Mailer;
  let now: Date;
  const rows = () =>
    server.database.db.all<{ recipient: string; body: string; tries: number; failure: string | null; sent_at: string | null }>(
      sql`select recipient, body, tries, failure, sent_at from outgoing_mail order by recipient`,
    );
  const hello = (to: string, more: object = {}) => mail.send({ to, subject: 'Hello', body: 'https://lantern.test/reset-password/secret', ...more });
  beforeAll(async () => {
    sink = await startSmtpSink();
    server = await startTestApp();
    mail = createMailer(
      { ...readConfig({ NODE_ENV: 'test', SMTP_URL: sink.url }), DATA_DIR: server.folder },
      server.database.db,
      brandOfAddress,
      () => new Date(now),
    );
  });
  beforeEach(async () => {
    now = new Date('2026-03-01T08:00:00Z');
    sink.refuse = false;
    sink.mails.length = 0;
    await server.database.db.run(sql`delete from outgoing_mail`);
  });
  afterAll(async () => {
    await sink.close();
    await server.close();
  });

  it('is stored first and sent once, and then its text is deleted', async () => {
    await hello('learner@willowbrook.test');
    expect(sink.mails).toEqual([]);
    expect(await mail.sendNext()).toBe(true);
    expect(await mail.sendNext()).toBe(false);
    expect(sink.mails).toEqual([{ to: 'learner@willowbrook.test', text: expect.stringContaining('Hello') }]);
    expect(await rows()).toEqual([expect.objectContaining({ body: '', sent_at: now.toISOString() })]);
  });

  it('waits longer after each failure, and is not lost', async () => {
    await hello('learner@willowbrook.test');
    sink.refuse = true;
    await mail.sendNext();
    expect(await mail.sendNext()).toBe(false);
    expect((await rows())[0]).toMatchObject({ tries: 1, sent_at: null, failure: expect.stringContaining('451') });
    now = new Date(now.getTime() + 60_000);
    expect(await mail.sendNext()).toBe(true);
    now = new Date(now.getTime() + 60_000);
    expect(await mail.sendNext()).toBe(false);
    sink.refuse = false;
    now = new Date(now.getTime() + 60_000);
    expect(await mail.sendNext()).toBe(true);
    expect(sink.mails).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ tries: 3, failure: null, sent_at: now.toISOString() });
  });

  it('to many people is sent after urgent e-mail, by one server only', async () => {
    await mail.sendToAll(sql`select email from users where email in ('learner@willowbrook.test', 'manager@willowbrook.test')`, {
      subject: 'News',
      body: 'News',
    });
    now = new Date(now.getTime() + 1000);
    await hello('admin@willowbrook.test');
    await mail.sendNext();
    expect(sink.mails.map((m) => m.to)).toEqual(['admin@willowbrook.test']);
    await Promise.all([mail.sendNext(), mail.sendNext(), mail.sendNext()]);
    expect(sink.mails.map((m) => m.to).sort()).toEqual(['admin@willowbrook.test', 'learner@willowbrook.test', 'manager@willowbrook.test']);
  });

  it('is sent by a server with a mail server, and stored by one without', async () => {
    const sending = await startTestApp({ SMTP_URL: sink.url, MAIL_PER_MINUTE: '6000' });
    const client = sending.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    expect((await client.json('POST', '/auth/forgot-password', { email: 'learner@willowbrook.test' })).status).toBeLessThan(300);
    await vi.waitFor(() => expect(sink.mails.map((m) => m.to)).toEqual(['learner@willowbrook.test']), { timeout: 45_000 });
    await sending.close();
    const keeping = server.client();
    await keeping.send('GET', '/sanctum/csrf-cookie');
    await keeping.json('POST', '/auth/forgot-password', { email: 'learner@willowbrook.test' });
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), { timeout: 45_000 });
    expect(await rows()).toEqual([
      expect.objectContaining({ recipient: 'learner@willowbrook.test', body: expect.stringContaining('reset-password/'), tries: 0 }),
    ]);
    expect(await mail.sendNext()).toBe(false);
  });
});

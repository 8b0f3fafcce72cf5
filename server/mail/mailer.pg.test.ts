import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthUser } from '#contract/entities/user.ts';
import { linkInstead, mailWaits } from '#contract/mail-words.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { withinScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { openFileStore } from '#server/files/file-store.ts';
import { createMailer, type Mailer, newOrganisation, unsentProblems } from '#server/mail/mailer.ts';
import { checkDatabase } from '#server/operator/check-database.ts';
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
  const hello = (to: string, more: object = {}) =>
    server.database.db.tx((tx) => mail.send({ to, subject: 'Hello', body: 'https://lantern.test/reset-password/secret', ...more }, tx));
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

  it('that was refused until it was given up is named, and sent again', async () => {
    await hello('learner@willowbrook.test');
    sink.refuse = true;
    await mail.sendNext();
    expect(await mail.unsent()).toMatchObject({ failing: 1, given_up: 0, failures: [{ count: 1 }] });
    expect(unsentProblems(await mail.unsent())).toEqual([]);
    for (let hours = 0; hours < 200; hours += 6) {
      now = new Date(now.getTime() + 6 * 3_600_000);
      await mail.sendNext();
    }
    expect(await mail.waiting()).toBe(0);
    expect(await mail.unsent()).toMatchObject({ failing: 0, given_up: 1, since: '2026-03-01T08:00:00.000Z' });
    expect(unsentProblems(await mail.unsent())[0]).toMatch(/^1 e-mail was given up after 20 attempts.*451/);
    sink.refuse = false;
    expect(await mail.sendAgain()).toBe(1);
    expect(await mail.sendNext()).toBe(true);
    expect(sink.mails).toHaveLength(1);
    expect(await mail.unsent()).toEqual({ failing: 0, given_up: 0, since: null, failures: [] });
    expect(await mail.sendAgain()).toBe(0);
  });

  it('to many people is sent after urgent e-mail, by one server only', async () => {
    const everybody = sql`select email from users where email in ('learner@willowbrook.test', 'manager@willowbrook.test')`;
    await server.database.db.tx((tx) => mail.sendToAll(everybody, { subject: 'News', body: 'News' }, tx));
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

  it('leaves by turns between organisations, and what somebody waits for first', async () => {
    const { db } = server.database;
    const as = async (email: string, work: () => Promise<unknown>) => {
      const home = (await db.one<{ id: string }>(sql`select primary_entity_id as id from users where email = ${email}`))?.id ?? '';
      await withinScope({ user: home, home, place: home }, work);
    };
    await db.run(sql`delete from mail_turns`);
    await as('learner@harbourview.test', async () => {
      for (let i = 0; i < 6; i++) await hello(`stranger${i}@example.org`);
    });
    now = new Date(now.getTime() + 1000);
    await as('admin@willowbrook.test', () => hello('manager@willowbrook.test', { urgent: false }));
    await as('admin@willowbrook.test', () => hello('trainer@willowbrook.test', { urgent: false }));
    await hello('learner@willowbrook.test', { awaited: true });
    for (let i = 0; i < 5; i++) {
      now = new Date(now.getTime() + 10);
      await mail.sendNext();
    }
    const [first, ...others] = sink.mails.map((m) => m.to);
    expect(first).toBe('learner@willowbrook.test');
    expect(others.filter((to) => to.endsWith('@willowbrook.test'))).toHaveLength(2);
    expect(others.filter((to) => to.endsWith('@example.org'))).toHaveLength(2);
    expect(others[0]?.split('@')[1]).not.toBe(others[1]?.split('@')[1]);
  });

  it('of an organisation that has just signed up is limited a day, and the rest is sent the day after', async () => {
    const { db } = server.database;
    const home = (await db.one<{ id: string }>(sql`select primary_entity_id as id from users where email = 'learner@harbourview.test'`))?.id ?? '';
    const { mailsADay } = newOrganisation;
    await db.run(sql`insert into mail_turns (root_id, at, day, taken, limited_until) values (${home}, ${now}, ${now}::date, ${mailsADay - 1}, ${new Date(now.getTime() + 86_400_000 * 5)})
      on conflict (root_id) do update set day = excluded.day, taken = excluded.taken, limited_until = excluded.limited_until`);
    await withinScope({ user: home, home, place: home }, async () => {
      for (let i = 0; i < 3; i++) await hello(`stranger${i}@example.org`);
    });
    await hello('learner@harbourview.test', { awaited: true });
    const sent = async () => {
      while (await mail.sendNext());
      return sink.mails.length;
    };
    expect(await sent()).toBe(2);
    now = new Date(now.getTime() + 86_400_000);
    expect(await sent()).toBe(4);
  });

  it('waits in production for a mail server, and every answer and the operator’s check say that none is sent', async () => {
    const production = await startTestApp({ NODE_ENV: 'production', DEMO: 'true' });
    const client = production.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const { body } = await client.json<{ data: { message: string } }>('POST', '/auth/forgot-password', { email: 'learner@willowbrook.test' });
    expect(body.data.message).toContain('cannot send e-mail');
    const waiting = () =>
      production.database.db.all<{ sent_at: string | null }>(sql`select sent_at from outgoing_mail where recipient = 'learner@willowbrook.test'`);
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([{ sent_at: null }]);
    const admin = production.client();
    await admin.signIn('admin@willowbrook.test');
    expect((await admin.json<{ data: AuthUser }>('GET', '/auth/user')).body.data.mail_waits).toBe(true);
    const learner = demoId('user:learner@willowbrook.test');
    type Said = { data: { message: string } };
    const welcome = await admin.json<Said>('POST', `/users/${learner}/send-welcome-email`);
    expect(welcome.body.data.message).toBe(`${mailWaits} ${linkInstead}`);
    const everybody = await admin.json<Said>('POST', '/entities/willowbrook/send-welcome-email?deep=1');
    expect(everybody.body.data.message).toMatch(/cannot send e-mail yet|Everybody here has a password already/);
    const files = await openFileStore(readConfig({ NODE_ENV: 'test', DATA_DIR: production.folder }));
    const found = async (sendsMail: boolean) => {
      const { findings } = await checkDatabase(production.database.db, files, false, sendsMail);
      return findings.filter((f) => f.check === 'e-mail is sent').map((f) => f.problem);
    };
    expect(await found(false)).toEqual([expect.stringMatching(/^SMTP_URL is not set: .* 2 e-mails wait, and are sent once it is set\.$/)]);
    expect(await found(true)).toEqual([]);
    await production.close();
  });
});

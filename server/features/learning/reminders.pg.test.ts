import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { lastReminderMoment, sendReminders } from '#server/features/learning/reminders.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { whileMailIsRefused } from '#tests/support/no-mail.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('the moment of the reminders', () => {
  it('is Monday at seven in London, in summer and in winter', () => {
    expect(lastReminderMoment(new Date('2026-11-23T07:00:00Z'), 'Europe/London').toISOString()).toBe('2026-11-23T07:00:00.000Z');
    expect(lastReminderMoment(new Date('2026-11-23T06:59:59Z'), 'Europe/London').toISOString()).toBe('2026-11-16T07:00:00.000Z');
    expect(lastReminderMoment(new Date('2026-07-08T12:00:00Z'), 'Europe/London').toISOString()).toBe('2026-07-06T06:00:00.000Z');
    expect(lastReminderMoment(new Date('2026-10-25T12:00:00Z'), 'Europe/London').toISOString()).toBe('2026-10-19T06:00:00.000Z');
  });
});

describe('reminders', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
    await server.database.db.run(sql`update entities set events_reminder = true where id = ${demoId('entity:home')}`);
  });
  afterAll(() => server.close());
  const send = async (at: Date) => {
    const { db } = server.database;
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
    await db.run(sql`delete from outgoing_mail`);
    const sent = await sendReminders({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => at, log: server.app.log });
    const mails = await db.all<{ recipient: string; subject: string; body: string }>(sql`select recipient, subject, body from outgoing_mail`);
    return { sent, mails };
  };
  const monday = () => {
    const last = lastReminderMoment(new Date(), 'Europe/London');
    return new Date(last.getTime() + 7 * 86_400_000 + 3 * 3_600_000);
  };

  it('go to who has something overdue or due soon where their organisation wants it, once a week', async () => {
    const { sent, mails } = await send(monday());
    expect(sent).toBe(mails.length);
    const amara = mails.filter((m) => m.recipient === 'learner@willowbrook.test');
    expect(amara).toHaveLength(1);
    expect(amara[0]?.subject).toBe('Training that is overdue');
    expect(amara[0]?.body).toMatch(/Overdue:\n• /);
    const places = await server.database.db.all<{ place: string }>(
      sql`select distinct primary_entity_id::text as place from users where email = any(${mails.map((m) => m.recipient)}::text[])`,
    );
    expect(places).toEqual([{ place: demoId('entity:home') }]);
    expect((await send(new Date(monday().getTime() + 3_600_000))).sent).toBe(0);
    expect((await send(new Date(monday().getTime() + 7 * 86_400_000))).sent).toBeGreaterThan(0);
  });
  it('are sent after all when the e-mails could not be stored at first', async () => {
    const { db } = server.database;
    await db.run(sql`update users set reminded_at = null`);
    await expect(whileMailIsRefused(db, () => send(monday()))).rejects.toThrow('no room for mail');
    expect(await db.all(sql`select id from users where reminded_at is not null`)).toEqual([]);
    const { sent, mails } = await send(monday());
    expect(mails.some((m) => m.recipient === 'learner@willowbrook.test')).toBe(true);
    expect(sent).toBe(mails.length);
  });
  it('go to who signs in with Google or Microsoft as well, and not to who never signed in', async () => {
    const { db } = server.database;
    const amara = demoId('user:learner@willowbrook.test');
    const before = await db.one<{ password_hash: string }>(sql`select password_hash from users where id = ${amara}`);
    await db.run(sql`update users set reminded_at = null, password_hash = null where id = ${amara}`);
    await db.run(sql`delete from auth_events where user_id = ${amara}`);
    const reminded = async () => {
      await db.run(sql`update users set reminded_at = null`);
      return (await send(monday())).mails.some((m) => m.recipient === 'learner@willowbrook.test');
    };
    expect(await reminded()).toBe(false);
    await db.run(
      sql`insert into identities (provider, issuer, subject, user_id, email, at) values ('google', 'https://accounts.google.com', 'amara', ${amara}, 'learner@willowbrook.test', now())`,
    );
    expect(await reminded()).toBe(true);
    await db.run(sql`delete from identities where user_id = ${amara}`);
    await db.run(sql`update users set password_hash = ${before?.password_hash ?? null} where id = ${amara}`);
  });
  it('are not sent days late, nor to who has left or has nothing due', async () => {
    const { db } = server.database;
    await db.run(sql`update users set reminded_at = null`);
    expect((await send(new Date(monday().getTime() + 3 * 86_400_000))).sent).toBe(0);
    await db.run(sql`update users set disabled_at = now() where email = 'learner@willowbrook.test'`);
    const { mails } = await send(monday());
    expect(mails.some((m) => m.recipient === 'learner@willowbrook.test')).toBe(false);
    expect(mails.every((m) => /Overdue:|Due soon:/.test(m.body))).toBe(true);
  });
});

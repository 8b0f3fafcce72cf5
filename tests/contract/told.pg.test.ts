import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocol } from '#contract/protocol.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { readConfig } from '#server/config.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { whileMailIsRefused } from '#tests/support/no-mail.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/**
 * Every app of a test checks that whatever tells people of a change is stored with it (tests/support/told.ts). Here it is shown that this
 * check finds what it is for, and that a change whose e-mail cannot be stored is not made.
 */
describe('a message or an e-mail about a change', () => {
  let server: TestApp;
  let manager: TestClient;
  let learner: TestClient;
  const amara = demoId('user:learner@willowbrook.test');
  const config = readConfig({ NODE_ENV: 'test' });
  const db = () => server.database.db;
  const mail = () => createMailer(config, db(), brandOfAddress);
  const letter = { to: 'learner@willowbrook.test', subject: 'Changed', body: 'Changed' };
  beforeAll(async () => {
    server = await startTestApp();
    [manager, learner] = [server.client(), server.client()];
    await manager.signIn('admin@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
  });
  afterAll(() => server.close());

  it('is found where it is stored outside the transaction of the change', async () => {
    await mail().send(letter, db());
    await db().tx((tx) => mail().send(letter, tx));
    await db().tx((tx) => tellPeople(tx, demoId('user:manager@willowbrook.test'), [{ recipient_id: amara, message: 'Changed' }], new Date()));
    const found = server.toldApart.splice(0).map((text) => text.split(':')[0]);
    expect(found).toEqual(['outside a transaction', 'in a transaction that changes nothing else', 'in a transaction that changes nothing else']);
    await db().tx(async (tx) => {
      await tx.run(sql`update users set name = name where id = ${amara}`);
      await mail().send(letter, tx);
    });
    expect(server.toldApart).toEqual([]);
  });

  it('is stored, or the change is not made', async () => {
    const key = () => ({ [protocol.idempotencyHeader]: randomUUID() });
    const message = { message: 'Please call me.', messageTypes: ['mail'] };
    const password = 'A new long password 1';
    const statuses = await whileMailIsRefused(db(), async () => [
      (await manager.json('POST', `/users/${amara}/message`, message, key())).status,
      (await manager.json('PATCH', `/users/${amara}`, { email: 'amara.new@willowbrook.test' })).status,
      (await manager.json('POST', `/users/${amara}/send-welcome-email`)).status,
      (await learner.json('POST', '/auth/reset-password', { password, password_confirmation: password, current_password: demoPassword })).status,
    ]);
    expect(statuses).toEqual([500, 500, 500, 500]);
    expect(await db().one(sql`select email from users where id = ${amara}`)).toEqual({ email: 'learner@willowbrook.test' });
    expect(await db().all(sql`select id from messages where message = ${message.message}`)).toEqual([]);
    expect((await learner.send('GET', '/auth/user')).statusCode).toBe(200);
    await server.client().signIn('learner@willowbrook.test');
  });

  it('carries no words of a stranger: a name stands only in e-mails to the sender’s own organisation', async () => {
    const stranger = demoId('user:admin@brightpath.test');
    const subjects = async (sender: string, recipient: string) => {
      await db().run(sql`delete from outgoing_mail`);
      await db().tx(async (tx) => {
        await tx.run(sql`update users set name = 'Win at https://evil.example' where id = ${sender}`);
        const written = await tellPeople(tx, sender, [{ recipient_id: recipient, message: 'Hello' }], new Date());
        await messagesOf({ db: db(), now: () => new Date(), mail: mail(), config }).mailedWith(tx, [written]);
      });
      return db().all<{ subject: string; body: string }>(sql`select subject, body from outgoing_mail`);
    };
    const [foreign] = await subjects(stranger, amara);
    expect(foreign?.subject).toBe('New message');
    expect(foreign?.body).not.toContain('evil');
    const [own] = await subjects(demoId('user:manager@willowbrook.test'), amara);
    expect(own?.subject).toBe('New message from Win at https://evil.example');
  });
});

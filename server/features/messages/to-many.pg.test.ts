import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Broadcast, Message } from '#contract/entities/message.ts';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { whileMailIsRefused } from '#tests/support/no-mail.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('a message to many', () => {
  let server: TestApp;
  let manager: TestClient;
  let learner: TestClient;
  const managerId = demoId('user:manager@willowbrook.test');
  const amara = demoId('user:learner@willowbrook.test');
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const write = (who: TestClient, path: string, message: string, more: object = {}, key: string = randomUUID()) =>
    who.json<{ data: Broadcast; code?: string; message?: string; errors?: Record<string, string[]> }>(
      'POST',
      path,
      { message, ...more },
      { [protocol.idempotencyHeader]: key },
    );
  const received = async (who: TestClient, id: string) =>
    (await who.json<{ data: Message[] }>('GET', `/users/${id}/received/messages`)).body.data.map((m) => m.message);
  const sent = async () => (await manager.json<{ data: Message[] }>('GET', `/users/${managerId}/sent/messages`)).body.data.map((m) => m.message);
  beforeAll(async () => {
    server = await startTestApp();
    manager = await as('manager@willowbrook.test');
    learner = await as('learner@willowbrook.test');
  });
  afterAll(() => server.close());

  it('reaches everybody of the organisation who has not left, once, however often it is sent', async () => {
    const { db } = server.database;
    const key = randomUUID();
    const staff = (
      await db.one<{ n: number }>(
        sql`select count(*)::int as n from users where primary_entity_id = ${demoId('entity:home')} and disabled_at is null and id <> ${managerId}`,
      )
    )?.n;
    const first = await write(manager, '/entities/willowbrook-house/message', 'The lift is out of order until Friday.', {}, key);
    expect(first).toMatchObject({
      status: 201,
      body: { data: { id: key, recipients: staff, read: 0, by_mail: false, audience: expect.stringContaining('everyone at') } },
    });
    expect((await write(manager, '/entities/willowbrook-house/message', 'The lift is out of order until Friday.', {}, key)).body).toEqual(first.body);
    expect((await write(manager, '/entities/willowbrook-house/message', 'Something else.', {}, key)).body.code).toBe('idempotency_mismatch');
    expect((await received(learner, amara)).filter((m) => m.includes('lift'))).toHaveLength(1);
    expect(await db.one(sql`select count(*)::int as n from messages where broadcast_id = ${key}`)).toEqual({ n: staff });
    // Somebody of another service receives nothing.
    const other = await as('gareth.pugh@willowbrook.test');
    expect(await received(other, demoId('user:gareth.pugh@willowbrook.test'))).toEqual([]);
  });

  it('lets the super administrator write to anybody of any organisation who has not left', async () => {
    const boss = await as('super@lantern.test');
    const id = demoId('user:super@lantern.test');
    const all = (await boss.json<{ data: { id: string }[] }>('GET', `/users/${id}/correspondents`)).body.data.map((u) => u.id);
    expect(all).toContain(amara);
    expect((await write(boss, `/users/${amara}/message`, 'Your certificate has been posted.')).status).toBe(200);
    expect(await received(learner, amara)).toContain('Your certificate has been posted.');
  });

  it('does not fill its sender’s list: it is a conversation when somebody answers', async () => {
    expect((await sent()).some((m) => m.includes('lift'))).toBe(false);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    await learner.json('POST', `/users/${managerId}/message`, { message: 'Thank you!' }, { [protocol.idempotencyHeader]: randomUUID() });
    expect((await sent()).filter((m) => m.includes('lift'))).toHaveLength(1);
    const [message] = (await learner.json<{ data: Message[] }>('GET', `/users/${amara}/received/messages`)).body.data.filter((m) =>
      m.message.includes('lift'),
    );
    await learner.json('PATCH', `/users/${amara}/received/messages/${message?.id}`, undefined, { [protocol.idempotencyHeader]: randomUUID() });
    const { body } = await manager.json<{ data: Broadcast[] }>('GET', `/users/${managerId}/broadcasts`);
    expect(body.data[0]).toMatchObject({ message: expect.stringContaining('lift'), read: 1 });
    expect((await learner.json('GET', `/users/${managerId}/broadcasts`)).status).toBe(404);
  });

  it('to a job role or a tag reaches those who have it, and tells them by e-mail what is asked for', async () => {
    const { db } = server.database;
    const admin = await as('admin@willowbrook.test');
    await db.run(sql`delete from outgoing_mail`);
    const cooks = await write(manager, `/entities/willowbrook-house/roles/${demoId('role:group:cook')}/message`, 'New menu.', {
      messageTypes: ['mail'],
    });
    expect(cooks.body.data).toMatchObject({ recipients: 3, by_mail: true, audience: expect.stringMatching(/^Cook at /) });
    const mails = await db.all<{ recipient: string; urgent: boolean; body: string }>(
      sql`select recipient, urgent, body from outgoing_mail order by 1`,
    );
    expect(mails.map((m) => m.recipient)).toEqual([
      'derek.holloway@willowbrook.test',
      'piotr.lewandowski@willowbrook.test',
      'yasmin.aziz@willowbrook.test',
    ]);
    expect(mails.every((m) => !m.urgent && !m.body.includes('New menu'))).toBe(true);
    const tag = (await admin.json<{ data: { id: string } }>('POST', '/entities/willowbrook/tags', { name: 'Night staff' })).body.data.id;
    await admin.json('PATCH', `/entities/willowbrook/tags/${tag}`, { user_ids: [amara] });
    expect((await write(admin, `/tags/${tag}/message`, 'Handover is at eight.')).body.data).toMatchObject({ recipients: 1 });
    expect(await received(learner, amara)).toContain('Handover is at eight.');
    expect(await received(learner, amara)).not.toContain('New menu.');
  });

  it('whose e-mails cannot be stored is not sent; the retry sends both', async () => {
    const { db } = server.database;
    await db.run(sql`delete from outgoing_mail`);
    const key = { [protocol.idempotencyHeader]: randomUUID() };
    const announce = () =>
      manager.json<{ data: Broadcast }>(
        'POST',
        '/entities/willowbrook-house/message',
        { message: 'Fire drill at ten.', messageTypes: ['mail'] },
        key,
      );
    const refused = await whileMailIsRefused(db, announce);
    expect(refused.status).toBe(500);
    expect(await received(learner, amara)).not.toContain('Fire drill at ten.');
    const { body } = await announce();
    const stored = async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail`))?.n;
    expect(body.data).toMatchObject({ by_mail: true });
    expect(body.data.recipients).toBeGreaterThan(3);
    expect(await stored()).toBe(body.data.recipients);
    expect((await announce()).body.data.id).toBe(body.data.id);
    expect(await stored()).toBe(body.data.recipients);
    expect((await received(learner, amara)).filter((m) => m === 'Fire drill at ten.')).toHaveLength(1);
  });

  it('is not for who may not, nor for nobody, nor for strangers', async () => {
    expect((await write(learner, '/entities/willowbrook-house/message', 'Hello')).status).toBe(403);
    expect(
      (await write(manager, `/entities/willowbrook-house/roles/${demoId('role:group:office')}/message`, 'Hello')).body.errors?.recipient?.[0],
    ).toMatch(/^There is nobody to send this to/);
    expect((await write(manager, '/entities/willowbrook-house/message', '  ')).body.errors).toEqual({ message: ['Enter a message.'] });
    const outsider = await as('admin@brightpath.test');
    expect((await write(outsider, '/entities/willowbrook-house/message', 'Hello')).status).toBe(404);
    expect((await write(outsider, `/entities/willowbrook-house/roles/${demoId('role:group:cook')}/message`, 'Hello')).status).toBe(404);
  });
});

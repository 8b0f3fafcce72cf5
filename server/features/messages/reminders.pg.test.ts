import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Broadcast, ReminderPreview } from '#contract/entities/message.ts';
import type { PersonCompliance, TeamMember } from '#contract/entities/compliance.ts';
import { protocol } from '#contract/protocol.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

let server: TestApp;
let manager: TestClient;
beforeAll(async () => {
  server = await startTestApp();
  manager = server.client();
  await manager.signIn('manager@willowbrook.test');
});
afterAll(() => server.close());

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };
const send = (user_ids: readonly string[], more: object = {}, key: string = randomUUID(), client = manager) =>
  client.json<Answer<Broadcast>>('POST', '/messages/reminders', { user_ids, ...more }, { [protocol.idempotencyHeader]: key });
const preview = async (user_ids: readonly string[], message = '') =>
  (await manager.json<Answer<ReminderPreview>>('POST', '/messages/reminders/preview', { user_ids, message })).body.data;
const stored = (id: string) =>
  server.database.db.all<{ id: string; name: string; message: string }>(
    sql`select u.id, u.name, m.message from messages m join users u on u.id = m.recipient_id where m.broadcast_id = ${id} order by u.name, u.id`,
  );

describe('a reminder of one’s own courses', () => {
  it('names to each person what is theirs, to nobody else and to nobody who has nothing due; the e-mail says the same', async () => {
    const { data: team } = (await manager.json<{ data: TeamMember[] }>('GET', '/team')).body;
    const all = team.map((p) => p.id);
    const seen = await preview(all, 'Please do these.');
    const key = randomUUID();
    const { status, body } = await send(all, { message: 'Please do these.', messageTypes: ['mail'] }, key);
    expect([status, body.data]).toEqual([201, expect.objectContaining({ message: 'Please do these.', by_mail: true, recipients: seen.reminded })]);
    const messages = await stored(key);
    expect(messages).toHaveLength(seen.reminded);
    expect(messages.slice(0, seen.examples.length)).toEqual(seen.examples.map(({ user, message }) => ({ ...user, message })));
    // Those who are not the sender: each is reminded, or has nothing due.
    const others = team.filter((p) => p.id !== demoId('user:manager@willowbrook.test'));
    expect(seen.reminded + seen.nothing_due).toBe(others.length);
    const mails = await server.database.db.all<{ body: string }>(
      sql`select o.body from outgoing_mail o where o.subject = 'Training that is overdue or due soon'`,
    );
    expect(mails).toHaveLength(seen.reminded);
    for (const person of others) {
      const { data: must } = (await manager.json<{ data: PersonCompliance[] }>('GET', `/users/${person.id}/compliant-courses`)).body;
      const red = must.filter((c) => complianceColourOf[c.status] === 'red');
      const theirs = messages.find((m) => m.id === person.id);
      for (const { course_title, reason } of red) {
        expect(theirs?.message).toContain(`• ${course_title}: ${reason}`);
        expect(mails.some((m) => m.body.startsWith(`Hello ${person.name},`) && m.body.includes(`• ${course_title}: ${reason}`))).toBe(true);
      }
      if (theirs) expect(theirs.message.startsWith('Please do these.\n\n')).toBe(true);
    }
  });

  it('is sent once for a key, whatever happens to the answer, and to one person by the same call', async () => {
    const { data: team } = (await manager.json<{ data: TeamMember[] }>('GET', '/team')).body;
    const late = team.find((p) => p.must.some((c) => complianceColourOf[c.status] === 'red')) as TeamMember;
    const key = randomUUID();
    const answers = await Promise.all([send([late.id], {}, key), send([late.id], {}, key)]);
    expect(answers.map((a) => [a.status, a.body.data.id])).toEqual([
      [201, key],
      [201, key],
    ]);
    expect(await stored(key)).toEqual([{ id: late.id, name: late.name, message: expect.stringMatching(/^Overdue:\n• /) }]);
    const other = await send([late.id], { message: 'Other words' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
    // Nor is the key one for other people, or for another sender.
    const elsewhere = await send([late.id, demoId('user:learner@willowbrook.test')], {}, key);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'idempotency_mismatch']);
    const admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    const theirs = await send([late.id], {}, key, admin);
    expect([theirs.status, theirs.body.code]).toEqual([422, 'idempotency_mismatch']);
    expect(await stored(key)).toHaveLength(1);
  });

  it('goes to nobody whom the sender does not look after, not to leavers, and to nobody where nothing is due', async () => {
    const outsider = await send([demoId('user:learner@harbourview.test')]);
    expect([outsider.status, outsider.body.errors]).toEqual([422, { user_ids: ['Choose people that you can see.'] }]);
    const self = await send([demoId('user:manager@willowbrook.test')]);
    expect([self.status, self.body.errors]).toEqual([422, { user_ids: ['None of these people has anything overdue or due soon.'] }]);
    const none = await send([]);
    expect(none.status).toBe(422);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await send([demoId('user:learner@willowbrook.test')], {}, randomUUID(), learner)).status).toBe(403);
  });
});

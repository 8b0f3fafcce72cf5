import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** Results stay on people's records, whichever organisation owns the course and whether they still have it. */
describe('what was done', () => {
  let server: TestApp;
  let manager: TestClient;
  let learner: TestClient;
  const amara = demoId('user:learner@willowbrook.test');
  const elsewhere = randomUUID();
  const taken = { course: randomUUID(), content: randomUUID() };
  const attemptId = async () => attemptIdOf(amara, taken.content, 1);

  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    [manager, learner] = [server.client(), server.client()];
    await manager.signIn('manager@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
    // She has worked elsewhere: a course that her organisation does not have.
    await db.run(
      sql`insert into courses (id, title, short_title, entity_id) values (${elsewhere}, 'Sea rescue', 'Rescue', ${demoId('entity:harbour')})`,
    );
    await db.run(
      sql`insert into results (id, user_id, course_id, type, completed_at) values (${randomUUID()}, ${amara}, ${elsewhere}, 'historical', now())`,
    );
    // A library course that her home was given, that she begins, and that is removed again.
    await db.run(
      sql`insert into courses (id, title, short_title, entity_id) values (${taken.course}, 'Gardening', 'Garden', ${demoId('entity:lantern')})`,
    );
    await db.run(
      sql`insert into contents (id, course_id, type, title, entity_id) values (${taken.content}, ${taken.course}, 'elearning', 'Gardening', ${demoId('entity:lantern')})`,
    );
    await db.run(sql`insert into content_versions (content_id, version, document, answer_keys)
      select ${taken.content}, 1, jsonb_set(document, '{id}', to_jsonb(${taken.content}::text)), answer_keys from content_versions where content_id = ${demoId('content:fire-safety')} and version = 1`);
    await db.run(sql`insert into entity_courses (entity_id, course_id) values (${demoId('entity:home')}, ${taken.course})`);
    const begun = await learner.json('PATCH', `/attempts/${await attemptId()}`, {
      changes: [change('attempt.start', { content_id: taken.content, content_version: 1 })],
    });
    expect(begun.status).toBe(200);
    await db.run(sql`delete from entity_courses where course_id = ${taken.course}`);
  });
  afterAll(() => server.close());

  it('is on the record and among the courses, for them and for who looks after them', async () => {
    type Rows = { data: { course_title: string }[] };
    for (const client of [learner, manager]) {
      const { body } = await client.json<Rows>('GET', `/users/${amara}/training-records`);
      expect(body.data.map((r) => r.course_title)).toContain('Sea rescue');
    }
    const { body } = await learner.json<{ data: Record<string, { data: { course_title: string }[] }> }>('POST', '/graphql', {
      query: '{ activeEvents(first: 100) { data { course_title } } completedEvents(first: 100) { data { course_title } } }',
    });
    expect(body.data.completedEvents?.data.map((e) => e.course_title)).toContain('Sea rescue');
    expect(body.data.activeEvents?.data.map((e) => e.course_title)).toContain('Gardening');
  });

  it('can be gone on with where it was begun, and is seen by who looks after them', async () => {
    expect((await learner.json('GET', `/content/${taken.content}/document`)).status).toBe(200);
    const seen = await manager.json<{ data: { content_title: string; course_title: string } }>('GET', `/attempts/${await attemptId()}`);
    expect([seen.status, seen.body.data]).toMatchObject([200, { content_title: 'Gardening', course_title: 'Gardening' }]);
    expect((await manager.json('GET', `/content/${taken.content}/document`)).status).toBe(404);
  });
});

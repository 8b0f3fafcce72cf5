import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entity } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer = { data: Entity; code: string; errors: Record<string, string[]> };
const amara = demoId('user:learner@willowbrook.test');
const fire = demoId('course:Fire safety');

describe('days', () => {
  let server: TestApp;
  let superAdmin: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    superAdmin = server.client();
    await superAdmin.signIn('super@lantern.test');
  });
  afterAll(() => server.close());
  const reason = async () =>
    (await eventsOf(server.database.db, [amara], new Date('2026-08-01T12:00:00.000Z'))).find((e) => e.course_id === fire)?.reason;
  const setZone = (slug: string, time_zone: string) => superAdmin.json<Answer>('PATCH', `/entities/${slug}`, { time_zone });

  it('are those of the organisation in a reason, whatever they are in UTC', async () => {
    await forgetResults(server.database.db, sql`user_id = ${amara} and course_id = ${fire}`);
    await server.database.db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
      values (${randomUUID()}, ${amara}, ${fire}, 'face2face', '2026-07-01T23:29:00.000Z', '2027-07-01T23:29:00.000Z')`);
    expect(await reason()).toBe('Completed on 02/07/2026, in date until 02/07/2027.');
  });
  it('are of one time zone in a whole tree of organisations: that of the one at its top', async () => {
    const below = await setZone('willowbrook-house', 'America/New_York');
    expect([below.status, below.body.errors.time_zone]).toEqual([422, [expect.stringContaining('Change it there.')]]);
    expect((await setZone('willowbrook', 'Atlantis/Central')).status).toBe(422);
    expect((await setZone('willowbrook', 'America/New_York')).status).toBe(200);
    expect((await superAdmin.json<Answer>('GET', '/entities/willowbrook-house')).body.data.time_zone).toBe('America/New_York');
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await learner.json<{ data: AuthUser }>('GET', '/auth/user')).body.data.time_zone).toBe('America/New_York');
    expect(await reason()).toBe('Completed on 01/07/2026, in date until 01/07/2027.');
    const made = await superAdmin.json<Answer>('POST', '/entities', { name: 'Willowbrook Farm', level: 'B', parent_id: demoId('entity:home') });
    expect(made.body.data.time_zone).toBe('America/New_York');
  });
  it('begin where the organisation is, for what is due by them', async () => {
    // Ten at night of the last day in New York.
    const done = await server.database.db.one<{ at: string | null }>(sql`select step_done_at(${amara}, ${fire}, '2026-07-02') as at`);
    expect(done?.at).toBe('2026-07-01T23:29:00.000Z');
    await server.database.db.run(sql`update results set expires_at = '2026-07-02T03:59:00.000Z' where user_id = ${amara} and course_id = ${fire}`);
    expect((await server.database.db.one<{ at: string | null }>(sql`select step_done_at(${amara}, ${fire}, '2026-07-02') as at`))?.at).toBeNull();
    await server.database.db.run(sql`update results set expires_at = '2026-07-02T04:01:00.000Z' where user_id = ${amara} and course_id = ${fire}`);
    expect((await server.database.db.one<{ at: string | null }>(sql`select step_done_at(${amara}, ${fire}, '2026-07-02') as at`))?.at).not.toBeNull();
  });
});

import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('a line of a training record', () => {
  let server: TestApp;
  const user_id = demoId('user:learner@willowbrook.test');
  const [fire, other] = [demoId('course:Fire safety'), randomUUID()];
  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    await db.run(
      sql`insert into courses (id, title, short_title, renewal_months, entity_id) values (${other}, 'Boats', 'Boats', 6, ${demoId('entity:home')})`,
    );
    await db.run(sql`update compliance set renewal_months = 3 where course_id = ${fire}`);
  });
  afterAll(() => server.close());

  it('is valid as long as the job roles say, else the course; an exemption for ever, a copy as in its original', async () => {
    const { db } = server.database;
    const at = '2026-01-31T10:00:00.000Z';
    const origin = 'manual';
    const ids = await recordResults(
      db,
      [
        { user_id, course_id: fire, type: 'elearning', completed: at, origin },
        { user_id, course_id: other, type: 'historical', completed: '2026-07-31', origin },
        { user_id, course_id: other, type: 'historical', completed: '2026-07-31', zone: 'Asia/Tokyo', origin },
        { user_id, course_id: other, type: 'exempt', completed: at, origin },
        { user_id, course_id: other, type: 'scorm', completed: at, origin, expires_at: '2030-01-01T00:00:00.000Z', score: 80 },
      ],
      new Date(),
    );
    const rows = await db.all<{ id: string }>(sql`select id, completed_at, expires_at, score from results where id = any(${ids}::uuid[])`);
    expect(ids.map((id) => rows.find((r) => r.id === id))).toMatchObject([
      { completed_at: at, expires_at: '2026-04-30T22:59:59.000Z' },
      { completed_at: '2026-07-31T11:00:00.000Z', expires_at: '2027-01-31T23:59:59.000Z' },
      { completed_at: '2026-07-31T03:00:00.000Z', expires_at: '2027-01-31T14:59:59.000Z' },
      { completed_at: at, expires_at: null },
      { completed_at: at, expires_at: '2030-01-01T00:00:00.000Z', score: 80 },
    ]);
  });
  it('is added in one place', () => {
    const writers = globSync('server/features/**/*.ts', { exclude: ['**/*.test.ts'] }).filter((f) =>
      /insert into results\b/.test(readFileSync(f, 'utf8')),
    );
    expect(writers).toEqual(['server/features/results/results.service.ts']);
  });
});

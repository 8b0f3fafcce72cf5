import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { changeResults, recordResults } from '#server/features/results/results.service.ts';
import { latestIn, mendStandings, packedStandingsOf, standingsOf, wrongStandings } from '#server/features/results/standings.rows.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

type Line = { id: string; user: number; course: number; completed: number; expires: number | null; counts: boolean; order: number };
const minute = 60_000;
const from = Date.parse('2024-01-01T00:00:00.000Z');
const at = (minutes: number) => new Date(from + minutes * minute);
const time = fc.integer({ min: 0, max: 12 });
const added = fc.record({ user: fc.nat(2), course: fc.nat(3), completed: time, expires: fc.option(time), pending: fc.boolean() });
const step = fc.oneof(
  // One in a transaction, and several of several people at once.
  fc.record({
    do: fc.constant('add' as const),
    these: fc.oneof(
      added.map((one) => [one]),
      fc.array(added, { minLength: 2, maxLength: 6 }),
    ),
  }),
  fc.record({ do: fc.constantFrom('delete' as const, 'approve' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('correct' as const), which: fc.nat(), completed: time, expires: fc.option(time) }),
);

describe('how people stand, as it is kept', () => {
  let server: TestApp;
  const people = ['grace.adeyemi', 'sunita.patel', 'megan.davies'].map((who) => demoId(`user:${who}@willowbrook.test`));
  const courses = [0, 1, 2, 3].map(() => randomUUID());
  const numbers: number[] = [];
  beforeAll(async () => {
    server = await startTestApp();
    for (const id of courses) {
      await server.database.db.run(sql`insert into courses (id, title, short_title, entity_id) values (${id}, ${id}, 'X', ${demoId('entity:home')})`);
      numbers.push((await server.database.db.one<{ no: number }>(sql`select no from courses where id = ${id}`))?.no ?? 0);
    }
  });
  afterAll(() => server.close());

  it('is the result that holds longest, whatever was added late, corrected, deleted or approved in any order', async () => {
    const { db } = server.database;
    // Every history continues the one before.
    const lines: Line[] = [];
    const apply = async (given: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
      const order = lines.length;
      if (given.do === 'add') {
        const ids = await recordResults(
          db,
          given.these.map(({ user, course, completed, expires, pending }) => ({
            ...{ user_id: people[user] as string, course_id: courses[course] as string, type: 'historical', origin: 'manual' },
            ...{ status: pending ? 'pending' : 'approved', completed: at(completed).toISOString() },
            expires_at: expires === null ? null : at(1000 + expires).toISOString(),
          })),
          new Date(from + order),
        );
        for (const [i, { pending, ...line }] of given.these.entries()) lines.push({ ...line, id: ids[i] ?? '', counts: !pending, order });
        return;
      }
      const line = lines[given.which % Math.max(1, lines.length)];
      if (!line) return;
      const set = (values: Record<string, string | Date | null>) =>
        changeResults(db, sql`id = ${line.id}`, values, { change: 'corrected', by: null }, new Date());
      if (given.do === 'correct') {
        Object.assign(line, { completed: given.completed, expires: given.expires });
        await set({ completed_at: at(given.completed), expires_at: given.expires === null ? null : at(1000 + given.expires) });
      } else {
        line.counts = given.do === 'approve';
        await set({ status: line.counts ? 'approved' : 'deleted' });
      }
    };
    /** The same, computed separately. */
    const expected = (user: number) =>
      courses.flatMap((_, course) => {
        const [latest] = lines
          .filter((l) => l.user === user && l.course === course && l.counts)
          .toSorted((a, b) => (b.expires ?? 1e9) - (a.expires ?? 1e9) || b.completed - a.completed || b.order - a.order || (a.id < b.id ? 1 : -1));
        return latest
          ? [
              {
                course_no: numbers[course],
                completed_at: at(latest.completed).toISOString(),
                expires_at: latest.expires === null ? null : at(1000 + latest.expires).toISOString(),
                exempt: false,
              },
            ]
          : [];
      });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const given of steps) await apply(given);
        const kept = await standingsOf(db, people);
        for (const [user, id] of people.entries()) expect((kept.get(id) ?? []).filter((s) => numbers.includes(s.course_no))).toEqual(expected(user));
        expect(await wrongStandings(db)).toEqual([]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
  it('is right for everyone of the demo, and is mended where it is not', async () => {
    const { db } = server.database;
    expect(await wrongStandings(db)).toEqual([]);
    const [first, second] = people as [string, string];
    const right = await standingsOf(db, people);
    await db.run(sql`update standings set cells = ''::bytea where user_id = ${first}`);
    await db.run(sql`delete from standings where user_id = ${second}`);
    expect((await wrongStandings(db)).toSorted()).toEqual([first, second].toSorted());
    expect(await mendStandings(db)).toBe(2);
    expect(await standingsOf(db, people)).toEqual(right);
  });
  it('takes the bytes of a date in the cell before for no course', async () => {
    const { db } = server.database;
    const user_id = demoId('user:aisha.khan@willowbrook.test');
    // The seconds of 2024-01-01 are 65 92 00 80: the number of this course is their last three bytes.
    const course_id = randomUUID();
    await db.run(sql`insert into courses (id, title, short_title, entity_id, no) overriding system value
      values (${course_id}, ${course_id}, 'X', ${demoId('entity:home')}, ${0x92_00_80})`);
    const record = (course: string, completed: string) =>
      recordResults(db, [{ user_id, course_id: course, type: 'face2face', origin: 'manual', completed }], new Date());
    await record(courses[0] as string, '2024-01-01T00:00:00.000Z');
    for (const completed of ['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-01-15T00:00:00.000Z']) await record(course_id, completed);
    const kept = (await standingsOf(db, [user_id])).get(user_id) ?? [];
    expect(kept.find((s) => s.course_no === 0x92_00_80)?.completed_at).toBe('2024-03-01T00:00:00.000Z');
    expect(kept.find((s) => s.course_no === numbers[0])?.completed_at).toBe('2024-01-01T00:00:00.000Z');
    expect(await wrongStandings(db)).toEqual([]);
  });
  it('counts each of several results of a course that are added at once, one of them of the same second as the latest', async () => {
    const { db } = server.database;
    const user_id = demoId('user:aisha.khan@willowbrook.test');
    const course_id = randomUUID();
    await db.run(sql`insert into courses (id, title, short_title, entity_id) values (${course_id}, ${course_id}, 'X', ${demoId('entity:home')})`);
    const record = (...completed: string[]) =>
      recordResults(
        db,
        completed.map((day) => ({ user_id, course_id, type: 'face2face', origin: 'manual', completed: day })),
        new Date(),
      );
    const course = await db.one<{ no: number }>(sql`select no from courses where id = ${course_id}`);
    const latest = async () => latestIn((await packedStandingsOf(db, [user_id])).get(user_id) as Buffer, course?.no as number);
    const seconds = (day: string) => Date.parse(day) / 1000;
    await record('2024-02-01T00:00:00.000Z');
    await record('2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z');
    expect(await latest()).toMatchObject({ count: 4, completed: seconds('2024-03-01T00:00:00.000Z') });
    await record('2024-01-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z');
    expect(await latest()).toMatchObject({ count: 6, completed: seconds('2024-03-01T00:00:00.000Z') });
    expect(await wrongStandings(db)).toEqual([]);
  });
  it('waits for nobody for long: two at once for the same person both count', async () => {
    const { db } = server.database;
    const user_id = demoId('user:aisha.khan@willowbrook.test');
    await db.run(sql`delete from standings where user_id = ${user_id}`);
    await mendStandings(db);
    await Promise.all(
      ['2026-01-02', '2026-01-01', '2026-01-03', '2026-01-03'].flatMap((completed) =>
        courses.map((course_id) =>
          db.tx((tx) => recordResults(tx, [{ user_id, course_id, type: 'face2face', origin: 'manual', completed }], new Date())),
        ),
      ),
    );
    const kept = (await standingsOf(db, [user_id])).get(user_id) ?? [];
    expect(kept.map((s) => s.course_no)).toEqual(kept.map((s) => s.course_no).toSorted((a, b) => a - b));
    expect(kept.filter((s) => numbers.includes(s.course_no))).toHaveLength(4);
    expect(await wrongStandings(db)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusIn } from '#contract/matrix/sheet.ts';
import { addDays, addMonthsToDay, dayIn, endOfDay, instantOf, startOfDay } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { complianceOf } from '#contract/rules/compliance-status.ts';
import { walkRequired } from '#server/features/compliance/required-walk.rows.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { cellsOf } from '#server/features/matrix/cells.rows.ts';
import { countedHead } from '#server/features/matrix/head.rows.ts';
import { latestIdsOf } from '#server/features/results/results.rows.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { packedStandingsAt, wrongStandings } from '#server/features/results/standings.rows.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Everything that says how somebody stands with a course is asked at the same moments. */
describe('a day that is named', () => {
  let server: TestApp;
  const amara = demoId('user:learner@willowbrook.test');
  const course = demoId('course:Fire safety');
  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    await db.run(
      sql`update compliance set renewal_months = 12, renewal_kind = 'rolling', starter_period_days = 28, expiry_warning_days = 0 where course_id = ${course}`,
    );
  });
  afterAll(() => server.close());

  const moveTo = (zone: string) => server.database.db.run(sql`update entities set time_zone = ${zone} where parent_id is null`);
  /** What every reader says at a moment. */
  const saidAt = async (at: Date) => {
    const { db } = server.database;
    const home = (await eventsOf(db, [amara], at)).find((e) => e.course_id === course);
    const head = await countedHead(db, sql`u.id = ${amara}`, at);
    const column = head.columns.findIndex((c) => c.id === course);
    const cellWith = async (read?: typeof packedStandingsAt) => {
      const cells = await cellsOf(db, head, at, read && ((on, ids) => read(on, ids, at)));
      return statusIn((await cells(0, 1)).states[column] as number);
    };
    const walked: string[] = [];
    await walkRequired(
      db,
      at,
      sql`u.id = ${amara}`,
      sql`q.course_id = ${course}`,
      (_, __, stands) => void walked.push(complianceOf(stands.facts(), at).status),
    );
    return { home: home?.compliance, section: home?.status, cell: await cellWith(), earlier: await cellWith(packedStandingsAt), walked: walked[0] };
  };
  const all = (status: string, section: string) => ({ home: status, section, cell: status, earlier: status, walked: status });
  const momentsOf = (day: string, zone: string): [Date, boolean][] => [
    [new Date(startOfDay(day, zone)), false],
    [new Date(instantOf(day, '12:05', zone)), false],
    [new Date(Date.parse(endOfDay(day, zone)) + 999), false],
    [new Date(Date.parse(endOfDay(day, zone)) + 1000), true],
    [new Date(instantOf(addDays(day, 1), '12:05', zone)), true],
  ];

  it.each([
    ['Europe/London', '2027-03-01', '12:05'],
    ['Europe/London', '2027-03-28', '00:30'],
    ['Pacific/Auckland', '2028-02-29', '23:59'],
    ['America/St_Johns', '2027-10-31', '12:00'],
    ['America/Santiago', '2027-04-03', '23:30'],
  ])(
    'is good to its end for everybody who reads it: %s, completed on %s at %s',
    async (zone, day, time) => {
      const { db } = server.database;
      await moveTo(zone);
      await forgetResults(db, sql`user_id = ${amara} and course_id = ${course}`);
      const completed = instantOf(day, time, zone);
      const [id = ''] = await recordResults(
        db,
        [{ user_id: amara, course_id: course, type: 'elearning', origin: 'attempt', completed }],
        new Date(completed),
      );
      const last = addMonthsToDay(day, 12);
      const row = await db.one<{ number: string; expires_at: string }>(
        sql`select certificate_number as number, to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expires_at from results where id = ${id as string}`,
      );
      expect(dayIn(row?.expires_at as string, zone)).toBe(last);
      for (const [at, over] of momentsOf(last, zone)) {
        expect([at, await saidAt(at)]).toEqual([at, over ? all('expired', 'overdue') : all('expiring', 'current')]);
        server.clock.now = at;
        const check = await server.client().json<{ data: object }>('GET', `/certificates/${row?.number}`);
        expect([at, check.body.data]).toEqual([
          at,
          { status: over ? 'expired' : 'valid', valid_until: last, expired_on: over ? last : null, replaced: false },
        ]);
        const said = await db.one<{ over: boolean }>(sql`select is_over(${row?.expires_at ?? ''}::timestamptz, ${at}::timestamptz, ${zone}) as over`);
        expect([at, said?.over]).toEqual([at, over]);
      }
      server.clock.now = new Date();
    },
    120_000,
  );

  it.each(['Europe/London', 'Asia/Tokyo', 'America/St_Johns'])(
    'is the last good one of a new starter, and of who is asked from a day on: %s',
    async (zone) => {
      const { db } = server.database;
      await moveTo(zone);
      await forgetResults(db, sql`user_id = ${amara} and course_id = ${course}`);
      for (const [started, since, last] of [
        ['2026-11-01', null, '2026-11-29'],
        ['2019-01-01', '2026-11-20', '2026-12-18'],
        ['2026-11-01', '2020-01-01', '2026-11-29'],
      ] as const) {
        await db.run(sql`update users set started_on = ${started} where id = ${amara}`);
        await db.run(sql`update compliance set required_since = ${since} where course_id = ${course}`);
        for (const [at, over] of momentsOf(last, zone))
          expect([at, await saidAt(at)]).toEqual([at, over ? all('missing', 'overdue') : all('starter', 'current')]);
      }
      await db.run(sql`update compliance set required_since = null where course_id = ${course}`);
    },
    120_000,
  );

  it('is not taken away by a newer result that ends earlier, nor by an exemption', async () => {
    const { db } = server.database;
    const zone = 'Europe/London';
    await moveTo(zone);
    await forgetResults(db, sql`user_id = ${amara} and course_id = ${course}`);
    const record = async (completed: string, until: string | null, type: 'historical' | 'exempt' = 'historical') => {
      const values = { user_id: amara, course_id: course, type, origin: 'manual' as const, completed, expiry: 'day' as const };
      const [id = ''] = await recordResults(db, [{ ...values, expires_at: until && endOfDay(until, zone) }], new Date(`${completed}T13:00:00Z`));
      return id as string;
    };
    const long = await record('2026-01-10', '2027-06-30');
    const short = await record('2026-05-10', '2026-07-01');
    await record('2026-06-01', '2026-06-20', 'exempt');
    const at = new Date('2026-09-01T10:00:00Z');
    expect(await saidAt(at)).toEqual(all('in_date', 'completed'));
    expect((await latestIdsOf(db, [amara], [course])).get(`${amara} ${course}`)).toEqual({ id: long, count: 3 });
    expect(await wrongStandings(db)).toEqual([]);
    server.clock.now = at;
    const numberOf = async (id: string) => (await db.one<{ n: string }>(sql`select certificate_number as n from results where id = ${id}`))?.n;
    const replaced = async (id: string) =>
      (await server.client().json<{ data: { replaced: boolean } }>('GET', `/certificates/${await numberOf(id)}`)).body.data.replaced;
    expect([await replaced(long), await replaced(short)]).toEqual([false, false]);
    server.clock.now = new Date();
    // Without the long one the short one is what there is: over.
    await db.run(sql`update results set status = 'deleted' where id = ${long}`);
    expect(await saidAt(at)).toEqual(all('expired', 'overdue'));
    // One that lasts as long and is newer replaces it.
    await db.run(sql`update results set status = 'approved' where id = ${long}`);
    const newer = await record('2026-08-01', '2027-08-01');
    expect((await latestIdsOf(db, [amara], [course])).get(`${amara} ${course}`)?.id).toBe(newer);
    expect(await wrongStandings(db)).toEqual([]);
  }, 120_000);
});

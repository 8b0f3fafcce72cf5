import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forecast, forecastPeople } from '#contract/api/forecast.ts';
import type { Forecast, ForecastLine } from '#contract/entities/forecast.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, startOfDay } from '#contract/rules/days.ts';
import { forecastDays } from '#contract/rules/forecast.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; meta: { total: number } };
const amara = demoId('user:learner@willowbrook.test');

describe('the forecast of who turns amber and red', () => {
  let server: TestApp;
  let admin: TestClient;
  let manager: TestClient;
  let learner: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, manager, learner, rival] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('manager@willowbrook.test'),
      await signedIn('learner@willowbrook.test'),
      await signedIn('admin@brightpath.test'),
    ];
  });
  afterAll(() => server.close());
  const forecastOf = async (query = '', by = admin) => (await by.json<Answer<Forecast>>('GET', `/forecast${query}`)).body.data;
  const peopleOf = async (query: string, by = admin) => (await by.json<Answer<ForecastLine[]>>('GET', `/forecast/people?per_page=100&${query}`)).body;
  const today = () => dayIn(server.clock.now, 'Europe/London');
  /** Everybody below Willowbrook who has not left and what they have to do, with its colour at the end of a day. */
  const coloursIn = async (days: number | null) => {
    const { db } = server.database;
    const people = await db.all<{ id: string }>(
      sql`select u.id from users u where u.disabled_at is null and u.primary_entity_id in (with recursive below as (select id from entities where slug = 'willowbrook'
        union all select c.id from entities c join below b on c.parent_id = b.id) select id from below)`,
    );
    const end = days === null ? server.clock.now : new Date(Date.parse(startOfDay(addDays(today(), days + 1), 'Europe/London')) - 1);
    const events = await eventsOf(
      db,
      people.map((p) => p.id),
      end,
    );
    return new Map(events.flatMap((e) => (e.compliance_type ? [[`${e.user_id} ${e.course_id}`, complianceColourOf[e.compliance]] as const] : [])));
  };

  it('is what lists will show on those days if nobody does anything', async () => {
    const now = await coloursIn(null);
    const { figures, people, sessions } = await forecastOf();
    expect(people).toBeGreaterThan(10);
    expect(sessions).toEqual([]);
    expect(forecast.response.safeParse(await forecastOf()).error).toBeUndefined();
    for (const days of forecastDays) {
      const then = await coloursIn(days);
      for (const colour of ['red', 'amber'] as const) {
        const expected = [...then].filter(([key, is]) => is === colour && now.get(key) !== colour).map(([key]) => key);
        const pages = Array.from({ length: Math.ceil(expected.length / 100) || 1 }, (_, i) => peopleOf(`days=${days}&group=${colour}&page=${i + 1}`));
        const found = await Promise.all(pages);
        expect(found.flatMap(({ data }) => data.map((l) => l.id)).sort()).toEqual(expected.sort());
        expect(found[0]?.meta.total).toBe(expected.length);
        expect(figures.find((f) => f.days === days)?.[colour]).toEqual({
          lines: expected.length,
          people: new Set(expected.map((k) => k.slice(0, 36))).size,
        });
      }
    }
    expect(figures.at(-1)?.red.lines).toBeGreaterThan(0);
    expect(figures.at(-1)?.amber.lines).toBeGreaterThan(0);
  });

  it('has the sessions of a training company that can be booked, without their registers', async () => {
    const { db } = server.database;
    const [line] = (await peopleOf('days=60&group=red')).data as [ForecastLine, ...ForecastLine[]];
    const planned = async (offered: 'own' | 'clients') => {
      const id = randomUUID();
      const trainer = demoId('user:admin@brightpath.test');
      await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, available_to, created_by, created_at)
        values (${id}, ${demoId('entity:brightpath')}, ${line.course.id}, ${trainer}, ${addDays(today(), 41)}::date, '10:00', '12:00', 'There', '', '', 3, 'attendance', ${offered}, ${trainer}, now())`);
      return id;
    };
    const [offered, own] = [await planned('clients'), await planned('own')];
    const { sessions } = await forecastOf(`?course_id=${line.course.id}`);
    expect(sessions.find((s) => s.id === offered)).toMatchObject({ venue: 'There', free: 3, register: false });
    expect(sessions.map((s) => s.id)).not.toContain(own);
    await db.run(sql`delete from training_sessions where id in (${offered}, ${own})`);
  });

  it('is of a course, with the sessions to come, and knows who has a place by then', async () => {
    const { db } = server.database;
    const { data } = await peopleOf('days=60&group=red');
    const [line] = data as [ForecastLine, ...ForecastLine[]];
    const course = line.course.id;
    const before = await forecastOf(`?course_id=${course}`);
    expect(before).toMatchObject({ course: { id: course, title: line.course.title }, role: null, entity: null });
    const session = randomUUID();
    await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, created_by, created_at)
      values (${session}, ${demoId('entity:home')}, ${course}, ${demoId('user:manager@willowbrook.test')}, ${addDays(today(), 40)}::date, '10:00', '12:00', 'Here', '', '', 3, 'attendance',
        ${demoId('user:manager@willowbrook.test')}, now())`);
    await db.run(
      sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at) values (${randomUUID()}, ${session}, ${line.user.id}, 'Delegate', ${line.user.id}, now())`,
    );
    const after = await forecastOf(`?course_id=${course}`);
    expect(after.sessions.find((s) => s.id === session)).toEqual({
      id: session,
      register: true,
      on: addDays(today(), 40),
      in_days: 40,
      venue: 'Here',
      delegates: 1,
      free: 2,
    });
    const booked = (of: Forecast) => of.figures.map((f) => f.booked.lines);
    expect(booked(after)).toEqual(booked(before).map((n, i) => (i === 0 ? n : n + 1)));
    const there = (await peopleOf(`course_id=${course}&days=60&group=booked`)).data;
    expect(there.map((l) => [l.user.id, l.booked?.session_id])).toContainEqual([line.user.id, session]);
    expect(forecastPeople.response.safeParse(there).error).toBeUndefined();
    // Cancelled and past sessions, and places that were given up, do not count.
    await db.run(sql`update training_sessions set cancelled_at = now(), cancelled_by = trainer_id where id = ${session}`);
    expect(booked(await forecastOf(`?course_id=${course}`))).toEqual(booked(before));
    await db.run(
      sql`update training_sessions set cancelled_at = null, cancelled_by = null, date = ${addDays(today(), -1)}::date where id = ${session}`,
    );
    expect(booked(await forecastOf(`?course_id=${course}`))).toEqual(booked(before));
    await db.run(sql`update training_sessions set date = ${addDays(today(), 40)}::date where id = ${session}`);
    await db.run(sql`update session_delegates set removed_at = now(), removed_by = added_by where session_id = ${session}`);
    expect(booked(await forecastOf(`?course_id=${course}`))).toEqual(booked(before));
  });

  it('counts who starts by then with what they are to do, and not who has left', async () => {
    const { db } = server.database;
    const [starter, left] = [randomUUID(), randomUUID()];
    const role = demoId('role:group:care');
    const before = await forecastOf(`?role_id=${role}`);
    expect(before.role?.id).toBe(role);
    for (const [id, disabled] of [
      [starter, null],
      [left, server.clock.now],
    ] as const)
      await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on, disabled_at)
        values (${id}, 'To Come', ${`${id}@willowbrook.test`}, ${demoId('entity:home')}, ${role}, ${addDays(today(), 45)}::date, ${disabled})`);
    const after = await forecastOf(`?role_id=${role}`);
    const people = (of: Forecast) => of.figures.map((f) => f.starters.people);
    expect(people(after)).toEqual(people(before).map((n, i) => (i === 0 ? n : n + 1)));
    const { data } = await peopleOf(`role_id=${role}&days=60&group=starters&search=to%20come`);
    expect(new Set(data.map((l) => l.user.id))).toEqual(new Set([starter]));
    expect(data[0]).toMatchObject({ colour: 'amber', starts_on: addDays(today(), 45), starts_in_days: 45, turns: [] });
  });

  it('is of an organisation and all below it, and of nobody else', async () => {
    const { db } = server.database;
    const house = await forecastOf('?entity=willowbrook-house');
    expect(house.entity?.slug).toBe('willowbrook-house');
    expect(house.people).toBe((await forecastOf('', manager)).people);
    expect(house.people).toBeLessThan((await forecastOf('?entity=willowbrook')).people);
    for (const path of [
      '/forecast?entity=willowbrook-house',
      `/forecast?role_id=${demoId('role:group:care')}`,
      `/forecast/people?entity=willowbrook`,
    ])
      expect((await rival.json('GET', path)).status, path).toBe(404);
    expect((await manager.json('GET', '/forecast?entity=willowbrook')).status).toBe(404);
    const elsewhere = randomUUID();
    await db.run(
      sql`insert into courses (id, title, short_title, entity_id) select ${elsewhere}, 'Theirs', 'Theirs', id from entities where slug = 'harbour-view'`,
    );
    expect((await admin.json('GET', `/forecast?course_id=${elsewhere}`)).status).toBe(404);
    expect((await learner.json('GET', '/forecast')).status).toBe(403);
    expect((await admin.json('GET', '/forecast/people?days=45')).status).toBe(422);
  });

  it('of a person is seen by them and by who sees them', async () => {
    const own = (await learner.json<Answer<ForecastLine[]>>('GET', `/users/${amara}/forecast`)).body.data;
    const asked = (await manager.json<Answer<ForecastLine[]>>('GET', `/users/${amara}/forecast`)).body.data;
    expect(own.length).toBeGreaterThan(0);
    expect(own).toEqual(asked);
    expect(own.every((l) => l.user.id === amara && l.turns.length > 0)).toBe(true);
    expect((await rival.json('GET', `/users/${amara}/forecast`)).status).toBe(404);
  });
});

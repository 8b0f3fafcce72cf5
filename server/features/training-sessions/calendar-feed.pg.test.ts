import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedReadsAnHour } from '#contract/entities/calendar-feed.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { protocol } from '#contract/protocol.ts';
import { instantOf } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Feed = { made_at: string | null; last_read_at: string | null; address?: string };
type Answer<T> = { data: T; code?: string };
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);
const zone = 'Europe/London';

describe('a calendar feed of one’s own training', () => {
  let server: TestApp;
  let admin: TestClient;
  let learner: TestClient;
  let manager: TestClient;
  let anybody: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const course = demoId('course:Moving and assisting people');
  const held = async (date: string, venue: string, who: string[] = ['learner']) => {
    const plan = { date, startTime: '09:30', endTime: '12:30', venue, room: '', aim: 'Wear flat shoes.', maxDelegates: 20 };
    const made = await admin.json<Answer<Register>>('POST', '/training-sessions', {
      ...{ ...plan, grading_method: 'attendance', course_id: course, trainer_id: userOf('trainer') },
    });
    await admin.json('POST', `/training-sessions/${made.body.data.id}/delegates`, { user_ids: who.map(userOf) });
    return made.body.data.id;
  };
  const make = async (by = learner) => (await by.json<Answer<Feed>>('POST', '/bookings/own/calendar-feed')).body.data.address as string;
  const pathOf = (address: string) => new URL(address).pathname.slice(protocol.apiPrefix.length);
  const read = (address: string) => anybody.send('GET', pathOf(address));
  const eventsIn = (text: string) =>
    new Map(
      new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent').map((v) => {
        const event = new ICAL.Event(v as ICAL.Component);
        return [event.uid.replace(/^session-(.*)@.*$/, '$1'), event] as const;
      }),
    );
  const events = async (address: string) => eventsIn((await read(address)).body);
  const statusOf = (event: ICAL.Event | undefined) => event?.component.getFirstPropertyValue('status');

  let address: string;
  const sessions: Record<string, string> = {};
  beforeAll(async () => {
    server = await startTestApp();
    server.clock.now = new Date('2027-03-20T10:00:00Z');
    [admin, learner, manager] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('learner@willowbrook.test'),
      await signedIn('manager@willowbrook.test'),
    ];
    anybody = server.client();
    for (const day of ['2027-03-27', '2027-03-28', '2027-10-30', '2027-10-31']) sessions[day] = await held(day, `Hall of ${day}`);
    sessions.other = await held('2027-04-10', 'For the manager', ['manager']);
    address = await make();
  });
  afterAll(() => server.close());

  it('is read without signing in, as what another library takes for a calendar of the person’s own sessions and nobody else’s', async () => {
    const answer = await read(address);
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      ...[200, 'text/calendar; charset=utf-8', 'no-store'],
    ]);
    const found = eventsIn(answer.body);
    const event = found.get(sessions['2027-03-27'] as string);
    expect([event?.summary, event?.location, event?.description]).toEqual([
      ...['Moving and assisting people', 'Hall of 2027-03-27', 'Wear flat shoes.'],
    ]);
    expect(statusOf(event)).toBe('CONFIRMED');
    expect(found.has(sessions.other as string)).toBe(false);
    const listed = (await learner.json<Answer<{ session_id: string }[]>>('GET', '/bookings/own')).body.data;
    expect([...found.keys()].sort()).toEqual([...new Set(listed.map((b) => b.session_id))].sort());
    const names = await server.database.db.all<{ name: string }>(sql`select name from users`);
    // Folded lines are read as one.
    const text = answer.body.replaceAll('\r\n ', '');
    for (const { name } of names) expect(text).not.toContain(name);
    for (const line of answer.body.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  });

  it('begins at the time of the venue before and after the clocks change, in March and in October', async () => {
    const found = await events(address);
    for (const [day, utc] of [
      ['2027-03-27', '09:30'],
      ['2027-03-28', '08:30'],
      ['2027-10-30', '08:30'],
      ['2027-10-31', '09:30'],
    ] as const) {
      const begins = found
        .get(sessions[day] as string)
        ?.startDate.toJSDate()
        .toISOString();
      expect([day, begins]).toEqual([day, `${day}T${utc}:00.000Z`]);
      expect(begins).toBe(new Date(instantOf(day, '09:30', zone)).toISOString());
    }
  });

  it('changes the same entry when a session is moved, and cancels it when it is cancelled or given up', async () => {
    const id = sessions['2027-10-30'] as string;
    const before = (await events(address)).get(id);
    await admin.json('PATCH', `/training-sessions/${id}`, { startTime: '10:00', venue: 'Elsewhere' });
    const moved = (await events(address)).get(id);
    expect([moved?.uid, moved?.location, moved?.startDate.toJSDate().toISOString()]).toEqual([
      ...[before?.uid, 'Elsewhere', '2027-10-30T09:00:00.000Z'],
    ]);
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? Number.POSITIVE_INFINITY);
    await admin.json('POST', `/training-sessions/${id}/cancellation`, { notes: 'Because of Tomasz.' });
    const cancelled = (await events(address)).get(id);
    expect([statusOf(cancelled), cancelled?.uid]).toEqual(['CANCELLED', before?.uid]);
    expect(cancelled?.sequence).toBeGreaterThan(moved?.sequence ?? Number.POSITIVE_INFINITY);
    expect((await read(address)).body).not.toContain('Tomasz');

    const given = sessions['2027-10-31'] as string;
    const was = (await events(address)).get(given)?.sequence ?? Number.POSITIVE_INFINITY;
    const own = (await learner.json<Answer<{ id: string; session_id: string }[]>>('GET', '/bookings/own')).body.data;
    const place = own.find((b) => b.session_id === given)?.id;
    expect((await learner.json('POST', `/bookings/own/${place}/cancellation`, { reason: 'Away.' })).status).toBe(201);
    const up = (await events(address)).get(given);
    expect(statusOf(up)).toBe('CANCELLED');
    expect(up?.sequence).toBeGreaterThan(was);
    await admin.json('POST', `/training-sessions/${given}/delegates`, { user_ids: [userOf('learner')] });
    const again = (await events(address)).get(given);
    expect(statusOf(again)).toBe('CONFIRMED');
    expect(again?.sequence).toBeGreaterThan(up?.sequence ?? Number.POSITIVE_INFINITY);
  });

  it('says when it was made and read, and keeps no more of its address than a hash', async () => {
    const feed = (await learner.json<Answer<Feed>>('GET', '/bookings/own/calendar-feed')).body.data;
    expect([feed.made_at, feed.last_read_at]).toEqual([server.clock.now.toISOString(), server.clock.now.toISOString()]);
    expect(feed).not.toHaveProperty('address');
    const secret = pathOf(address).split('/')[2] as string;
    expect(secret.length).toBeGreaterThanOrEqual(43);
    const [row] = await server.database.db.all<{ row: string }>(
      sql`select to_jsonb(f)::text as row from calendar_feeds f where user_id = ${userOf('learner')}`,
    );
    expect(row?.row).not.toContain(secret);
    expect((await manager.json<Answer<Feed>>('GET', '/bookings/own/calendar-feed')).body.data.made_at).toBeNull();
  });

  it('has another address once it is renewed, and none once it is stopped', async () => {
    const old = address;
    address = await make();
    expect(address).not.toBe(old);
    expect([(await read(old)).statusCode, (await read(address)).statusCode]).toEqual([404, 200]);
    const stopped = await learner.json<Answer<Feed>>('DELETE', '/bookings/own/calendar-feed');
    expect([stopped.status, stopped.body.data.made_at, (await read(address)).statusCode]).toEqual([200, null, 404]);
    address = await make();
    expect((await read(address)).statusCode).toBe(200);
  });

  it('is read so often an hour and no more, by nobody else’s fault', async () => {
    const theirs = await make(manager);
    const answers: number[] = [];
    for (let i = 0; i <= feedReadsAnHour; i++) answers.push((await read(theirs)).statusCode);
    expect(answers.slice(0, -1).every((status) => status === 200)).toBe(true);
    const refused = await read(theirs);
    expect([answers.at(-1), refused.statusCode, Number(refused.headers['retry-after']) > 3000]).toEqual([429, 429, true]);
    expect((await read(address)).statusCode).toBe(200);
    server.clock.now = new Date(server.clock.now.getTime() + 61 * 60_000);
    expect((await read(theirs)).statusCode).toBe(200);
    // Guesses are slowed down; a valid address is still readable.
    const guesses: number[] = [];
    for (let i = 0; i < 102; i++) guesses.push((await read(address.replace(/.{6}\/training/, `${String(i).padStart(6, '0')}/training`))).statusCode);
    expect([guesses[0], guesses.at(-1)]).toEqual([404, 429]);
    expect((await read(address)).statusCode).toBe(200);
  });

  it('ends while the organisation is shut out, and for good when the person leaves', async () => {
    const { db } = server.database;
    await db.run(
      sql`update entities set restricted_access_at = ${server.clock.now}, restricted_access_message = 'Closed.' where slug = 'willowbrook'`,
    );
    expect((await anybody.send('GET', pathOf(address))).statusCode).toBeGreaterThanOrEqual(400);
    await db.run(sql`update entities set restricted_access_at = null, restricted_access_message = null where slug = 'willowbrook'`);
    expect((await read(address)).statusCode).toBe(200);
    const left = await admin.json('PATCH', `/users/${userOf('learner')}`, { disabled: true });
    expect(left.status).toBe(200);
    expect((await read(address)).statusCode).not.toBe(200);
    await admin.json('PATCH', `/users/${userOf('learner')}`, { disabled: false });
    expect((await read(address)).statusCode).not.toBe(200);
    expect(await db.one(sql`select 1 as one from calendar_feeds where user_id = ${userOf('learner')}`)).toBeUndefined();
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Booking } from '#contract/entities/booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import {
  type ComingSessionRow,
  type NoShow,
  noShowsReport,
  type SessionUse,
  sessionUseReport,
  type SpendLine,
  type TrainingMonth,
  trainingMonthsReport,
  trainingSpendReport,
  upcomingTrainingReport,
} from '#contract/reports/training.ts';
import { permissions } from '#contract/permissions.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const provider = 'admin@brightpath.test';
const client = 'admin@willowbrook.test';
const other = 'learner@harbourview.test';
/** From the house of the booked people, and from another one of the group. */
const [houseManager, otherHouse] = ['manager@willowbrook.test', 'gareth.pugh@willowbrook.test'];

describe('reports of training', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = async (who: string): Promise<TestClient> => {
    const known = clients.get(who) ?? server.client();
    if (!clients.has(who)) await known.signIn(who);
    clients.set(who, known);
    return known;
  };
  const rows = async <T>(who: string, path: string, body: object = {}) =>
    (await (await as(who)).json<Answer<T[]>>('POST', `${path}?per_page=100`, body)).body.data;
  const venue = 'Hall of the reports';
  let session: string;
  let booking: string;
  const delegates: Record<string, string> = {};
  const mark = async (who: string, presence: 'present' | 'absent', seq: number, insteadOf: string | null = null) => {
    const id = randomUUID();
    await server.database.db.run(sql`insert into register_marks (id, session_id, delegate_id, presence, note, instead_of, by_id, at, received_at, seq)
      values (${id}, ${session}, ${delegates[who] as string}, ${presence}, 'A note', ${insteadOf}, ${userOf(provider)}, now(), now(), ${seq})`);
    return id;
  };

  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    const given = permissions.filter((p) => ['booking.create', 'booking.manage', 'booking.update'].includes(p.slug)).map((p) => p.id);
    await db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${given}::int[]) from users where email = ${other} on conflict do nothing`,
    );
    const today = dayIn(server.clock.now, 'Europe/London');
    await db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${userOf(provider)}`);
    const made = await (await as(provider)).json<Answer<Register>>('POST', '/training-sessions', {
      ...{ date: addDays(today, 5), startTime: '09:30', endTime: '12:30', venue, room: '', aim: '', maxDelegates: 4, grading_method: 'attendance' },
      ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: userOf(provider), availableTo: 'clients', minDelegates: 3 },
    });
    session = made.body.data.id;
    const body = { session_ids: [session], user_ids: [userOf('learner'), userOf('liam.murphy')], notes: '', waiting: false };
    const booked = await (await as(client)).json<Answer<Booking>>('POST', '/bookings', body);
    expect([made.status, booked.status]).toEqual([201, 201]);
    booking = booked.body.data.id;
    for (const { id, user_id } of await db.all<{ id: string; user_id: string }>(
      sql`select id, user_id from session_delegates where session_id = ${session}`,
    ))
      delegates[user_id === userOf('learner') ? 'learner' : 'liam.murphy'] = id;
  });
  afterAll(() => server.close());

  it('say of sessions to come how many places are free, and that one is at risk, to who holds them and to who can book them', async () => {
    const of = async (who: string) => (await rows<ComingSessionRow>(who, '/reports/upcoming-training')).find((r) => r.id === session);
    expect(await of(provider)).toMatchObject({ places: 4, taken: 2, free: 2, waiting: 0, own: 0, state: 'risk', register: true });
    expect(await of(client)).toMatchObject({ taken: 2, free: 2, own: 2, state: 'risk', register: false });
    expect(await of(other)).toBeUndefined();
    expect(upcomingTrainingReport.row.safeParse(await of(client)).error).toBeUndefined();
  });

  it('count who came and who did not by the register as it is, and right after it is corrected', async () => {
    const { db } = server.database;
    await db.run(sql`update training_sessions set date = date - 10 where id = ${session}`);
    await mark('learner', 'present', 1);
    const absent = await mark('liam.murphy', 'absent', 2);
    const use = async (who: string, body: object = {}) =>
      (await rows<SessionUse>(who, '/reports/training-sessions', body)).find((r) => r.venue === venue);
    const noShows = async (who: string) => (await rows<NoShow>(who, '/reports/no-shows')).filter((r) => r.session_id === session);
    const month = dayIn(new Date(server.clock.now.getTime() - 5 * 86_400_000), 'Europe/London').slice(0, 7);
    const house = demoId('entity:home');
    const months = (who: string) => rows<TrainingMonth>(who, '/reports/training-months', { period: 'all_time' });
    const inMonth = async (who: string) =>
      (await months(who)).find(
        (r) => r.month === month && r.provider.slug === 'brightpath' && r.entity.id === (who === provider ? demoId('entity:group') : house),
      );
    // A provider sees the client that booked, but not where its people work.
    const before = [await inMonth(client), await inMonth(provider)];
    // Until the register is finished it counts for nothing.
    expect(await use(provider)).toMatchObject({ sessions: 1, places: 4, taken: 2, filled: 50, came: 0, no_shows: 0, cancelled: 0 });
    expect(await noShows(provider)).toEqual([]);
    await db.run(sql`insert into register_completions (id, session_id, marks, note, method, by_id, at, received_at)
      values (${randomUUID()}, ${session}, '{}', '', 'signed_in', ${userOf(provider)}, now(), now())`);
    expect(await use(provider)).toMatchObject({ came: 1, no_shows: 1 });
    expect(await use(client)).toMatchObject({ sessions: 1, places: null, taken: 2, filled: null, came: 1, no_shows: 1 });
    expect(await use(client, { period: 'today' })).toBeUndefined();
    // By month for people who manage or request bookings: a house manager sees the people of the house, but not the spend.
    for (const [i, who] of [client, provider].entries()) {
      const after = await inMonth(who);
      expect([who, after?.came, after?.no_shows]).toEqual([who, (before[i]?.came ?? 0) + 1, (before[i]?.no_shows ?? 0) + 1]);
      expect(after?.places).toBeGreaterThanOrEqual(2);
      expect(trainingMonthsReport.row.safeParse(after).error).toBeUndefined();
    }
    const asks = permissions.find(({ slug }) => slug === 'booking.request')?.id as number;
    for (const who of [houseManager, otherHouse])
      await db.run(
        sql`insert into user_permissions (user_id, permission_id) select id, ${asks} from users where email = ${who} on conflict do nothing`,
      );
    expect(await inMonth(houseManager)).toMatchObject({ came: (await inMonth(client))?.came, net_pence: null });
    expect((await noShows(houseManager)).map((r) => r.user.id)).toEqual([userOf('liam.murphy')]);
    const below = await db.all<{ id: string }>(sql`select below as id from entity_below where above = ${house}`);
    for (const row of await months(houseManager)) expect(below.map(({ id }) => id)).toContain(row.entity.id);
    expect(await inMonth(otherHouse)).toBeUndefined();
    expect(await noShows(otherHouse)).toEqual([]);
    const [row] = await noShows(client);
    expect(row).toMatchObject({
      ...{ user: { id: userOf('liam.murphy') }, venue, provider: { slug: 'brightpath' }, booked_by: { id: userOf(client) }, booking_id: booking },
    });
    expect(noShowsReport.row.safeParse(row).error).toBeUndefined();
    expect(sessionUseReport.row.safeParse(await use(client)).error).toBeUndefined();
    expect((await noShows(provider)).map((r) => r.user.id)).toEqual([userOf('liam.murphy')]);
    for (const who of [other, 'gareth.pugh@willowbrook.test']) {
      const answer = await (await as(who)).send('POST', '/reports/no-shows', {});
      expect(answer.body).not.toContain(session);
    }
    await mark('liam.murphy', 'present', 3, absent);
    expect(await use(provider)).toMatchObject({ came: 2, no_shows: 0 });
    expect(await noShows(client)).toEqual([]);
    const file = await (await as(client)).send('POST', '/reports/training-sessions/file?format=csv', {});
    expect([file.statusCode, file.body.includes(venue)]).toEqual([200, true]);
  });

  it('say what was spent with whom in which month, to the client and to the provider, and to nobody else', async () => {
    const { db } = server.database;
    const order = await db.one<{ id: string; entity_id: string; provider_id: string; gross: number }>(
      sql`select id, entity_id, provider_id, gross_pence as gross from training_orders where approved_at is not null and state in ('approved', 'fulfilled')
        and entity_id in (select below from entity_below where above = ${demoId('entity:group')}) limit 1`,
    );
    expect(order).toBeDefined();
    const lines = async (who: string) =>
      (await rows<SpendLine>(who, '/reports/training-spend', { period: 'all_time' })).filter((r) => r.order_id === order?.id);
    const mine = await lines(client);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.reduce((sum, l) => sum + l.gross_pence, 0)).toBe(order?.gross);
    expect(mine[0]?.month).toMatch(/^\d{4}-\d\d$/);
    expect(trainingSpendReport.row.safeParse(mine[0]).error).toBeUndefined();
    expect(await lines(other)).toEqual([]);
  });

  it('are read by who manages bookings or asks for them only', async () => {
    for (const path of ['training-sessions', 'no-shows', 'upcoming-training', 'training-spend', 'training-months'].map((name) => `/reports/${name}`))
      expect([path, (await (await as('learner@willowbrook.test')).send('POST', path, {})).statusCode]).toEqual([path, 403]);
  });
});

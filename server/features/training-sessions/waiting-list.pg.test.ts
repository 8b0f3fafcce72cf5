import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Booking } from '#contract/entities/booking.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register, WaitingPerson } from '#contract/entities/training-session.ts';
import { addDays, dayIn, instantOf } from '#contract/rules/days.ts';
import { acceptUntil } from '#contract/rules/delegate-answer.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { lapsePlaces } from '#server/features/training-sessions/waiting-list.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);
const crowd = ['grace.adeyemi', 'liam.murphy', 'megan.davies', 'daniel.osei', 'manager'];

describe('a full session', () => {
  let server: TestApp;
  let admin: TestClient;
  let learner: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    [admin, learner] = [server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
  });
  afterAll(() => server.close());

  /** On a day on which the trainer gives no other. */
  let next = 7;
  const planned = async (maxDelegates: number, days = next++): Promise<string> => {
    const date = addDays(dayIn(server.clock.now, 'Europe/London'), days);
    const course_id = demoId('course:Moving and assisting people');
    const plan = { date, startTime: '00:05', endTime: '23:50', venue: 'Mill Lane', room: '', aim: '', grading_method: 'attendance', maxDelegates };
    return (await admin.json<Answer<Register>>('POST', '/training-sessions', { ...plan, course_id, trainer_id: userOf('trainer') })).body.data.id;
  };
  const book = (id: string, ...who: string[]) =>
    admin.json<Answer<Register>>('POST', `/training-sessions/${id}/delegates`, { user_ids: who.map(userOf) });
  const wait = (id: string, ...who: string[]) =>
    admin.json<Answer<WaitingPerson[]>>('POST', `/training-sessions/${id}/waiting`, { user_ids: who.map(userOf) });
  const waiting = async (id: string) =>
    (await admin.json<Answer<WaitingPerson[]>>('GET', `/training-sessions/${id}/waiting`)).body.data.map((w) => w.user.id);
  const register = async (id: string) => (await admin.json<Answer<Register>>('GET', `/training-sessions/${id}`)).body.data;
  const listed = async (id: string) => (await register(id)).delegates.flatMap((d) => (d.user && d.removed === null ? [d.user.id] : []));
  const takeOff = async (id: string, who: string) => {
    const delegate = (await register(id)).delegates.find((d) => d.user?.id === userOf(who));
    return admin.json<Answer<Register>>('DELETE', `/training-sessions/${id}/delegates/${delegate?.id}`);
  };
  const own = async (id: string) => (await learner.json<Answer<OwnBooking[]>>('GET', '/bookings/own')).body.data.filter((b) => b.session_id === id);
  const messagesTo = async (who: string) =>
    (await server.database.db.all<{ message: string }>(sql`select message from messages where recipient_id = ${userOf(who)} and by_product`)).map(
      (m) => m.message,
    );

  it('is never over-booked, however many book the last place at once', async () => {
    const id = await planned(1);
    const answers = await Promise.all(crowd.map((who) => book(id, who)));
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 422)).toHaveLength(crowd.length - 1);
    expect(await listed(id)).toHaveLength(1);
    // Concurrently on the waiting list: each has a position, and only as many as there are places leave it.
    const rest = crowd.filter((who) => !answers[crowd.indexOf(who)]?.body.data);
    await Promise.all(rest.map((who) => wait(id, who)));
    expect((await waiting(id)).toSorted()).toEqual(rest.map(userOf).toSorted());
    await Promise.all([
      takeOff(id, crowd[answers.findIndex((a) => a.status === 201)] as string),
      admin.json('PATCH', `/training-sessions/${id}`, { maxDelegates: 3 }),
    ]);
    expect([(await listed(id)).length, (await waiting(id)).length]).toEqual([3, crowd.length - 1 - 3]);
  });

  it('books who waits longest as soon as a place is free, and tells them', async () => {
    const id = await planned(1);
    await book(id, 'grace.adeyemi');
    expect((await wait(id, 'grace.adeyemi')).body.errors).toEqual({ user_ids: ['Grace Adeyemi is on the list already.'] });
    await wait(id, 'learner');
    await wait(id, 'liam.murphy', 'learner');
    expect(await waiting(id)).toEqual([userOf('learner'), userOf('liam.murphy')]);
    expect(await own(id)).toMatchObject([{ state: 'waiting', waiting_no: 1 }]);
    expect(await messagesTo('learner')).toEqual([]);

    const after = await takeOff(id, 'grace.adeyemi');
    expect(after.body.data.delegates.filter((d) => d.removed === null).map((d) => d.user?.id)).toEqual([userOf('learner')]);
    expect(await own(id)).toMatchObject([{ state: 'booked', waiting_no: null, added_by: { id: userOf('admin') } }]);
    expect(await messagesTo('learner')).toEqual([expect.stringMatching(/^A place is free: you are booked on “Moving and assisting people” on /)]);
    expect(await messagesTo('grace.adeyemi')).toContainEqual(expect.stringMatching(/^You are no longer booked on /));

    // A place that is given up is passed on.
    const [mine] = await own(id);
    await learner.json('POST', `/bookings/own/${mine?.id}/cancellation`, { reason: 'I am ill.' });
    expect([await listed(id), await waiting(id)]).toEqual([[userOf('liam.murphy')], []]);
  });

  it('is left by who waits no longer, and lets nobody wait once it is cancelled', async () => {
    const id = await planned(1);
    await book(id, 'grace.adeyemi');
    await wait(id, 'liam.murphy', 'learner');
    const [mine] = await own(id);
    const path = `/bookings/own/${mine?.id}/cancellation`;
    expect((await learner.json<Answer<OwnBooking>>('POST', path, { reason: 'No need.' })).body.data.state).toBe('not_coming');
    expect([await waiting(id), await own(id)]).toEqual([[userOf('liam.murphy')], []]);
    await wait(id, 'learner');
    const [first] = (await admin.json<Answer<WaitingPerson[]>>('GET', `/training-sessions/${id}/waiting`)).body.data;
    const left = await admin.json<Answer<WaitingPerson[]>>('DELETE', `/training-sessions/${id}/waiting/${first?.id}`);
    expect(left.body.data.map((w) => w.user.id)).toEqual([userOf('learner')]);
    await admin.json('POST', `/training-sessions/${id}/cancellation`, { notes: 'The trainer is ill.' });
    expect(await waiting(id)).toEqual([]);
    expect((await messagesTo('learner')).at(-1)).toMatch(/is cancelled\. You were on its waiting list\.$/);
    expect((await wait(id, 'learner')).body.code).toBe('session_over');
  });

  it('can have its planner on the waiting list, too: they are booked, and can cancel it', async () => {
    const [id, cancelled] = [await planned(1), await planned(1)];
    for (const one of [id, cancelled]) {
      await book(one, 'grace.adeyemi');
      expect((await wait(one, 'admin')).status).toBe(201);
    }
    expect((await takeOff(id, 'grace.adeyemi')).status).toBe(200);
    expect([await listed(id), await waiting(id)]).toEqual([[userOf('admin')], []]);
    const off = await admin.json<Answer<Register>>('POST', `/training-sessions/${cancelled}/cancellation`, { notes: 'Nobody can come.' });
    expect([off.status, await waiting(cancelled)]).toEqual([201, []]);
  });

  it('books nobody once it has begun', async () => {
    await server.database.db.run(
      sql`update training_sessions set cancelled_at = now() where date = ${dayIn(server.clock.now, 'Europe/London')}::date`,
    );
    const id = await planned(1, 0);
    await book(id, 'grace.adeyemi');
    await wait(id, 'liam.murphy');
    await takeOff(id, 'grace.adeyemi');
    expect([await listed(id), await waiting(id)]).toEqual([[], [userOf('liam.murphy')]]);
  });

  describe('gives who moves up a time to accept', () => {
    const hours = (n: number) =>
      server.database.db.run(sql`insert into training_company_settings (entity_id, waiting_list_accept_hours, updated_at, updated_by)
        select id, ${n}, now(), ${userOf('admin')} from entities where slug = 'willowbrook'
        on conflict (entity_id) do update set waiting_list_accept_hours = excluded.waiting_list_accept_hours`);
    const lapse = () => {
      const { db } = server.database;
      const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
      return lapsePlaces({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => server.clock.now, log: server.app.log });
    };
    const later = (ms: number) => {
      server.clock.now = new Date(server.clock.now.getTime() + ms);
    };
    const begins = async (id: string) => {
      const { date, startTime } = await register(id);
      return instantOf(date, startTime, 'Europe/London');
    };
    /** Full with one person, while the learner and then Liam wait; the person is taken off. */
    const movedUp = async (days?: number) => {
      const id = await planned(1, days);
      await book(id, 'grace.adeyemi');
      await wait(id, 'learner', 'liam.murphy');
      await takeOff(id, 'grace.adeyemi');
      const [mine] = await own(id);
      return { id, until: mine?.answer?.lapses_at as string, path: `/bookings/own/${mine?.id}` };
    };
    beforeEach(async () => {
      await hours(24);
      // People of other tests are not asked any more.
      await server.database.db.run(sql`update session_delegates set accepted_at = now() where lapses_at is not null and accepted_at is null`);
    });

    it('until which the place is theirs; then the next one has it, and all are notified', async () => {
      const { id, until, path } = await movedUp();
      expect(until).toBe(acceptUntil(server.clock.now, await begins(id), 24)?.toISOString());
      expect(await own(id)).toMatchObject([{ state: 'booked', zone: 'Europe/London', answer: { at: null, counts_at: null } }]);
      expect((await messagesTo('learner')).at(-1)).toMatch(
        /Please accept the place under Your bookings by \d\d\/\d\d\/\d{4} at \d\d:\d\d\. After that/,
      );
      expect((await messagesTo('admin')).at(-1)).toMatch(/moved up from the waiting list of .*\. They have until .* to accept the place\.$/);
      expect(await lapse()).toBe(0);
      server.clock.now = new Date(Date.parse(until) - 1);
      expect([await lapse(), await listed(id)]).toEqual([0, [userOf('learner')]]);
      later(1);
      // Acceptance is too late, whether or not the job has run yet.
      expect((await learner.json<Answer<OwnBooking>>('POST', `${path}/agreement`)).body.code).toBe('session_over');
      // Two servers look at once.
      const done = await Promise.all([lapse(), lapse()]);
      expect(done.toSorted()).toEqual([0, 1]);
      expect([await listed(id), await waiting(id)]).toEqual([[userOf('liam.murphy')], []]);
      const off = (await register(id)).delegates.find((d) => d.user?.id === userOf('learner'));
      expect(off?.removed).toMatchObject({ lapsed: true, declined: false, why: expect.stringMatching(/^Not accepted by .* at .*\.$/) });
      expect(await own(id)).toMatchObject([{ state: 'removed', reason: off?.removed?.why }]);
      expect((await learner.json<Answer<OwnBooking>>('POST', `${path}/agreement`)).body.code).toBe('session_over');
      const [mine, booker] = [await messagesTo('learner'), await messagesTo('admin')];
      expect(mine.filter((m) => /^You have not accepted your place on .* in time\. You are no longer booked\.$/.test(m))).toHaveLength(1);
      expect(booker.filter((m) => / has not accepted the place on /.test(m))).toHaveLength(1);
      // People who move up in turn have deadlines of their own.
      const next = (await register(id)).delegates.find((d) => d.user?.id === userOf('liam.murphy'));
      expect(next?.answer?.lapses_at).toBe(acceptUntil(server.clock.now, await begins(id), 24)?.toISOString());
      expect(await lapse()).toBe(0);
    });

    it('and people who accept in time keep the place, whatever comes then', async () => {
      const { id, until, path } = await movedUp();
      expect((await learner.json<Answer<OwnBooking>>('POST', `${path}/agreement`)).status).toBe(201);
      server.clock.now = new Date(until);
      expect([await lapse(), await listed(id)]).toEqual([0, [userOf('learner')]]);
      expect((await register(id)).delegates.find((d) => d.user?.id === userOf('learner'))?.answer?.at).not.toBeNull();
    });

    it('of half of what is left, and it can be declined as long as it is open, though places are given up earlier', async () => {
      await server.database.db.run(sql`update training_company_settings set delegate_removal_cutoff_hours = 720`);
      const { id, until, path } = await movedUp(1);
      expect(Date.parse(until) - server.clock.now.getTime()).toBeLessThanOrEqual((Date.parse(await begins(id)) - server.clock.now.getTime()) / 2);
      expect((await learner.json('POST', `${path}/cancellation`, { reason: 'I am at work.' })).status).toBe(201);
      expect(await listed(id)).toEqual([userOf('liam.murphy')]);
      await server.database.db.run(sql`update training_company_settings set delegate_removal_cutoff_hours = 0`);
    });

    it('in which the office can answer for them, also when it is over', async () => {
      const { id, until } = await movedUp();
      server.clock.now = new Date(until);
      const delegate = (await register(id)).delegates.find((d) => d.user?.id === userOf('learner'));
      const answer = `/training-sessions/${id}/delegates/${delegate?.id}/answer`;
      expect((await admin.json('POST', answer, { answer: 'accepted', reason: '' })).status).toBe(201);
      expect([await lapse(), await listed(id)]).toEqual([0, [userOf('learner')]]);
    });

    it('again if the session moves, and says so', async () => {
      const { id, until } = await movedUp();
      later(3_600_000);
      const date = addDays(dayIn(server.clock.now, 'Europe/London'), 60);
      await admin.json('PATCH', `/training-sessions/${id}`, { date });
      const [mine] = await own(id);
      expect(mine?.answer?.lapses_at).toBe(acceptUntil(server.clock.now, await begins(id), 24)?.toISOString());
      expect(mine?.answer?.lapses_at).not.toBe(until);
      expect((await messagesTo('learner')).at(-1)).toMatch(/It is now on .* Please accept the place under Your bookings by /);
    });

    it('and takes nobody off of whom a trainer without a connection notes that they are there', async () => {
      const { id, until } = await movedUp();
      const mark = (delegate_id: string | undefined) => ({
        ...{ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command: 'register.mark' },
        args: { delegate_id, presence: 'present', arrived: null, left: null, outcome: null, note: '', instead_of: null },
      });
      const delegate = (await register(id)).delegates.find((d) => d.user?.id === userOf('learner'));
      server.clock.now = new Date(until);
      expect(await lapse()).toBe(1);
      // Their device still has them on the list.
      const sent = await admin.json<{ meta?: { outcomes: { outcome: string }[] } }>('PATCH', `/training-sessions/${id}/register`, {
        changes: [mark(delegate?.id)],
      });
      expect(sent.body.meta?.outcomes).toMatchObject([{ outcome: 'late' }]);
      expect((await listed(id)).toSorted()).toEqual([userOf('learner'), userOf('liam.murphy')].toSorted());
      // People marked before it is over stay.
      const next = (await register(id)).delegates.find((d) => d.user?.id === userOf('liam.murphy'));
      await admin.json('PATCH', `/training-sessions/${id}/register`, { changes: [mark(next?.id)] });
      server.clock.now = new Date(next?.answer?.lapses_at as string);
      expect([await lapse(), (await listed(id)).length]).toEqual([0, 2]);
    });

    it('which the person who booked them sees', async () => {
      const id = await planned(1);
      await book(id, 'grace.adeyemi');
      const asked = { session_ids: [id], user_ids: [userOf('learner')], notes: '', waiting: true };
      const made = (await admin.json<Answer<Booking>>('POST', '/bookings', asked)).body.data;
      await takeOff(id, 'grace.adeyemi');
      const place = async () => (await admin.json<Answer<Booking>>('GET', `/bookings/${made.id}`)).body.data.sessions[0]?.places[0];
      const [mine] = await own(id);
      expect(await place()).toMatchObject({ state: 'asked', accept_by: mine?.answer?.lapses_at });
      server.clock.now = new Date(mine?.answer?.lapses_at as string);
      await lapse();
      expect(await place()).toMatchObject({ state: 'removed', accept_by: null, reason: expect.stringMatching(/^Not accepted by /) });
    });

    it('unless their provider gives none: they are booked at once', async () => {
      await hours(0);
      const { id } = await movedUp();
      expect(await own(id)).toMatchObject([{ state: 'booked', answer: null }]);
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register, WaitingPerson } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
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
  const told = async (who: string) =>
    (await server.database.db.all<{ message: string }>(sql`select message from messages where recipient_id = ${userOf(who)} and by_product`)).map(
      (m) => m.message,
    );

  it('is never over-booked, however many book the last place at once', async () => {
    const id = await planned(1);
    const answers = await Promise.all(crowd.map((who) => book(id, who)));
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(answers.filter((a) => a.status === 422)).toHaveLength(crowd.length - 1);
    expect(await listed(id)).toHaveLength(1);
    // The same who wait at once: each has a place in the queue, and only as many as there are places leave it.
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
    expect(await told('learner')).toEqual([]);

    const after = await takeOff(id, 'grace.adeyemi');
    expect(after.body.data.delegates.filter((d) => d.removed === null).map((d) => d.user?.id)).toEqual([userOf('learner')]);
    expect(await own(id)).toMatchObject([{ state: 'booked', waiting_no: null, added_by: { id: userOf('admin') } }]);
    expect(await told('learner')).toEqual([expect.stringMatching(/^A place is free: you are booked on “Moving and assisting people” on /)]);
    expect(await told('grace.adeyemi')).toContainEqual(expect.stringMatching(/^You are no longer booked on /));

    // Who gives the place up passes it on.
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
    expect((await told('learner')).at(-1)).toMatch(/is cancelled\. You were on its waiting list\.$/);
    expect((await wait(id, 'learner')).body.code).toBe('session_over');
  });

  it('is waited for by whoever plans it, too: they are booked, and can cancel it', async () => {
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
});

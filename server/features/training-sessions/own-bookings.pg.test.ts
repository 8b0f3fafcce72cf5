import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownBookings } from '#contract/api/bookings.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayIn, instantOf } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };

describe('own bookings', () => {
  let server: TestApp;
  const clients: Record<string, TestClient> = {};
  let id: string;
  let day: string;
  const as = async (who: string) => (clients[who] ??= await signedIn(who));
  const signedIn = async (who: string) => {
    const client = server.client();
    await client.signIn(`${who}@willowbrook.test`);
    return client;
  };
  const send = async <T>(who: string, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    (await as(who)).json<Answer<T>>(method, path, body);
  const own = async (who = 'learner') => (await (await as(who)).json<Answer<OwnBooking[]>>('GET', '/bookings/own')).body.data;
  const mine = async () => (await own()).find((b) => b.session_id === id);
  /** What the product wrote to somebody in another person's name. */
  const messagesTo = async (who: string, from: string) =>
    (
      await server.database.db.all<{ message: string }>(
        sql`select message from messages where recipient_id = ${userOf(who)} and sender_id = ${userOf(from)} and by_product`,
      )
    ).map((m) => m.message);
  const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);

  beforeAll(async () => {
    server = await startTestApp();
    day = addDays(dayIn(server.clock.now, 'Europe/London'), 7);
    const course = demoId('course:Moving and assisting people');
    const plan = {
      date: day,
      startTime: '09:30',
      endTime: '12:30',
      venue: 'Mill Lane',
      room: '',
      aim: 'To lift safely.',
      bring: 'Flat shoes.',
      maxDelegates: 1,
    };
    const made = await send<Register>('admin', 'POST', '/training-sessions', {
      ...{ ...plan, grading_method: 'attendance', course_id: course, trainer_id: userOf('trainer') },
    });
    id = made.body.data.id;
  });
  afterAll(() => server.close());

  it('are sent to booked people, with all that they need to come', async () => {
    expect(await mine()).toBeUndefined();
    await send('admin', 'POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    expect(ownBookings.response.safeParse(await own()).error).toBeUndefined();
    expect(await mine()).toMatchObject({
      ...{
        state: 'booked',
        course: { name: 'Moving and assisting people' },
        venue: 'Mill Lane',
        aim: 'To lift safely.',
        bring: 'Flat shoes.',
        date: day,
      },
      ...{ starts_at: instantOf(day, '09:30', 'Europe/London'), ends_at: instantOf(day, '12:30', 'Europe/London'), reason: '' },
    });
    expect(await messagesTo('learner', 'admin')).toEqual([
      expect.stringMatching(
        /^You are booked on “Moving and assisting people” on .* at 09:30, Mill Lane, until 12:30\.\nWhat to bring: Flat shoes\.$/,
      ),
    ]);
    // Nobody else has it, and nobody gives it up for them.
    expect((await own('manager')).some((b) => b.session_id === id)).toBe(false);
    const booking = await mine();
    expect((await send('manager', 'POST', `/bookings/own/${booking?.id}/cancellation`, { reason: 'No.' })).status).toBe(404);
  });

  it('say where it is held once it is moved, with a higher number for calendars', async () => {
    const before = await mine();
    await send('admin', 'PATCH', `/training-sessions/${id}`, { startTime: '10:00', venue: 'Mill House' });
    expect(await mine()).toMatchObject({ startTime: '10:00', venue: 'Mill House', rev: (before?.rev ?? 0) + 1 });
    expect((await messagesTo('learner', 'admin'))[1]).toMatch(/has changed\. It is now on .*, 10:00 to 12:30, Mill House\.$/);
    // A change that does not affect them sends no message.
    await send('admin', 'PATCH', `/training-sessions/${id}`, { maxDelegates: 2 });
    expect(await messagesTo('learner', 'admin')).toHaveLength(2);
  });

  it('are given up with a reason: the place is free, the person who booked and the trainer are notified, and it can be given again', async () => {
    const booking = await mine();
    const path = `/bookings/own/${booking?.id}/cancellation`;
    expect((await send('learner', 'POST', path, { reason: '  ' })).body.errors).toHaveProperty('reason');
    const given = await send<OwnBooking>('learner', 'POST', path, { reason: 'My child is ill.' });
    expect([given.status, given.body.data.state, given.body.data.reason]).toEqual([201, 'not_coming', 'My child is ill.']);
    for (const who of ['admin', 'trainer'])
      expect(await messagesTo(who, 'learner')).toEqual([
        expect.stringMatching(/^I cannot come to “Moving and assisting people” .* Reason: My child is ill\.$/),
      ]);
    const register = (await (await as('admin')).json<Answer<Register>>('GET', `/training-sessions/${id}`)).body.data;
    expect(register.delegates.filter((d) => d.removed === null)).toEqual([]);
    // Repeated by a device that got no answer, it notifies nobody again.
    expect((await send<OwnBooking>('learner', 'POST', path, { reason: 'Again.' })).body.data.reason).toBe('My child is ill.');
    expect(await messagesTo('trainer', 'learner')).toHaveLength(1);
    await send('admin', 'POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    expect(await mine()).toMatchObject({ id: booking?.id, state: 'booked', reason: '' });
  });

  it('go by the settings of who gives the training, or of the organisation above it: its own texts, and until when a place is given up', async () => {
    const { db } = server.database;
    const text = 'Dear {name}, {trainer} expects you at {start} for {course}.';
    const preferences = JSON.stringify([{ kind: 'booked', email: false, text }]);
    await db.run(sql`insert into training_company_settings (entity_id, delegate_removal_cutoff_hours, communication_preferences_json, updated_at, updated_by)
      values (${demoId('entity:group')}, 240, ${preferences}, now(), ${userOf('admin')})`);
    const booking = await mine();
    const path = `/bookings/own/${booking?.id}/cancellation`;
    const late = await (await as('learner')).json<{ message: string; code: string }>('POST', path, { reason: 'Too late.' });
    expect([late.body.code, late.body.message]).toEqual(['session_over', expect.stringMatching(/at least 240 hours before the session/)]);
    await db.run(sql`update training_company_settings set delegate_removal_cutoff_hours = 24`);
    expect((await send('learner', 'POST', path, { reason: 'In time.' })).status).toBe(201);
    const mails = async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail where recipient like 'learner@%'`))?.n;
    const before = await mails();
    await send('admin', 'POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    expect((await messagesTo('learner', 'admin')).at(-1)).toMatch(/^Dear .+, .+ expects you at 10:00 for Moving and assisting people\.$/);
    expect(await mails()).toBe(before);
    await db.run(sql`delete from training_company_settings`);
  });

  it('say why a session is cancelled, and are not given up once it has begun', async () => {
    await send('admin', 'POST', `/training-sessions/${id}/cancellation`, { notes: 'The trainer is ill.' });
    expect(await mine()).toMatchObject({ state: 'cancelled', reason: 'The trainer is ill.' });
    expect((await messagesTo('learner', 'admin')).at(-1)).toMatch(/is cancelled\. Reason: The trainer is ill\.$/);
    const booking = await mine();
    expect((await send('learner', 'POST', `/bookings/own/${booking?.id}/cancellation`, { reason: 'Late.' })).body.code).toBe('session_over');
  });
});

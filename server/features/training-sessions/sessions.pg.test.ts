import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register, SessionRow } from '#contract/entities/training-session.ts';
import { addDays, dayIn, instantOf } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { insertRow } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { readConfig } from '#server/config.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { sendNotices } from '#server/features/training-sessions/session-notices.service.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);

describe('a session in full', () => {
  let server: TestApp;
  const clients: Record<string, TestClient> = {};
  const day = (days: number) => addDays(dayIn(server.clock.now, 'Europe/London'), days);
  const send = async <T = Register>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, who = 'admin') =>
    (clients[who] as TestClient).json<Answer<T>>(method, path, body);
  const planned = (more: object = {}) => ({
    ...{ date: day(14), startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', maxDelegates: 12, grading_method: 'attendance' },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: userOf('trainer') },
    ...more,
  });
  /** Another session of the trainer, whose earlier ones are given to somebody else: nobody gives two at once. */
  const plan = async (more: object = {}) => {
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${userOf('trainer')}`);
    return (await send('POST', '/training-sessions', planned(more))).body.data;
  };
  const refused = async (more: object) => (await send('POST', '/training-sessions', planned(more))).body.errors;
  const messagesTo = async (who: string) =>
    (await server.database.db.all<{ message: string }>(sql`select message from messages where recipient_id = ${userOf(who)} and by_product`)).map(
      (m) => m.message,
    );

  beforeAll(async () => {
    server = await startTestApp();
    for (const who of ['admin', 'trainer', 'learner', 'manager']) {
      clients[who] = server.client();
      await clients[who].signIn(`${who}@willowbrook.test`);
    }
  }, 240_000);
  afterAll(() => server.close());

  it('keeps all that is said of it', async () => {
    const content = demoId('content:Moving and assisting people');
    await server.database.db.run(sql`update contents set type = 'face2face' where id = ${content}`);
    const said = {
      ...{ aim: 'To move people safely.', learningOutcomes: 'Can use a hoist.', contentCovered: 'Hoists, slings.', contentId: content },
      ...{ minDelegates: 4, availableTo: 'clients', virtual: true, joining_link: 'https://meet.example.org/abc' },
    };
    const made = await plan(said);
    expect(made).toMatchObject(said);
    const changed = await send('PATCH', `/training-sessions/${made.id}`, { contentCovered: 'Hoists.', virtual: false, joining_link: '' });
    expect(changed.body.data).toMatchObject({ ...said, contentCovered: 'Hoists.', virtual: false, joining_link: '' });
    // Without a value it has the minimum.
    expect(await plan()).toMatchObject({ minDelegates: null, availableTo: 'own', virtual: false, learningOutcomes: '', contentId: null });
  });

  it('says at the field what cannot be', async () => {
    expect(await refused({ date: day(-1) })).toEqual({ date: ['This day is past. Choose today or a later day.'] });
    expect(await refused({ endTime: '09:00' })).toHaveProperty('endTime');
    expect(await refused({ minDelegates: 13 })).toEqual({ minDelegates: ['This is more than the maximum.'] });
    expect(await refused({ joining_link: 'http://meet.example.org' })).toEqual({ joining_link: ['Enter an address that starts with https://.'] });
    expect(await refused({ contentId: demoId('content:Infection prevention and control') })).toHaveProperty('contentId');
    const room = { venue: 'x', venue_id: demoId('venue:home'), room_id: demoId('room:Activity room') };
    expect(await refused({ ...room, maxDelegates: 13 })).toEqual({
      maxDelegates: ['Activity room holds 12 people. Enter no more than that, or choose another room.'],
    });
    const { id, maxDelegates } = await plan({ ...room, maxDelegates: null });
    expect(maxDelegates).toBe(12);
    const change = async (body: object) => (await send('PATCH', `/training-sessions/${id}`, body)).body.errors;
    expect(await change({ maxDelegates: 20 })).toHaveProperty('maxDelegates');
    expect(await change({ date: day(-2) })).toHaveProperty('date');
    expect(await change({ minDelegates: 13 })).toHaveProperty('minDelegates');
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: ['learner', 'manager'].map(userOf) });
    expect(await change({ maxDelegates: 1 })).toEqual({ maxDelegates: ['2 are on the list already.'] });
    expect(await change({ maxDelegates: 2 })).toBeUndefined();
  });

  it('says in its list how many are booked and how many wait', async () => {
    const { id } = await plan({ venue: 'The place that is full', maxDelegates: 1 });
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    await send('POST', `/training-sessions/${id}/waiting`, { user_ids: [userOf('manager')] });
    const listed = await send<SessionRow[]>('GET', '/training-sessions?search=The+place+that+is+full');
    expect(listed.body.data).toMatchObject([{ id, delegates: 1, maxDelegates: 1, waiting: 1 }]);
  });

  it('is cancelled for a reason of the list, which everybody concerned gets', async () => {
    const { id } = await plan({ maxDelegates: 1 });
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    await server.database.db.run(sql`update session_delegates set added_by = ${userOf('manager')} where session_id = ${id}`);
    await send('POST', `/training-sessions/${id}/waiting`, { user_ids: [userOf('grace.adeyemi')] });
    const cancel = (body: object) => send('POST', `/training-sessions/${id}/cancellation`, body);
    for (const body of [{ notes: '' }, { cancellation_reason_id: 'other', notes: ' ' }])
      expect((await cancel(body)).body.errors).toEqual({ notes: ['Enter a reason.'] });
    expect((await cancel({ cancellation_reason_id: 'hail', notes: '' })).body.errors).toHaveProperty('cancellation_reason_id');
    const off = await cancel({ cancellation_reason_id: 'venue_unavailable', notes: 'The hall is flooded.' });
    expect(off.body.data.cancelled).toMatchObject({ reason_id: 'venue_unavailable', notes: 'The hall is flooded.' });
    const reason = /is cancelled\. Reason: The venue is not available\. The hall is flooded\.$/;
    for (const who of ['learner', 'trainer', 'manager']) expect(await messagesTo(who), who).toContainEqual(expect.stringMatching(reason));
    expect(await messagesTo('grace.adeyemi')).toContainEqual(expect.stringMatching(/is cancelled\. You were on its waiting list\.$/));
    const own = (await send<OwnBooking[]>('GET', '/bookings/own', undefined, 'learner')).body.data.find((b) => b.session_id === id);
    expect(own).toMatchObject({ state: 'cancelled', reason: 'The venue is not available. The hall is flooded.' });
  });

  it('tells those booked what to bring where that changes, and nobody else', async () => {
    const { id } = await plan();
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    const change = async (bring: string) => {
      const count = (await messagesTo('learner')).length;
      expect((await send('PATCH', `/training-sessions/${id}`, { bring })).status).toBe(200);
      return (await messagesTo('learner')).slice(count);
    };
    const staff = await messagesTo('trainer');
    expect(await change('Flat shoes.')).toEqual([
      expect.stringMatching(/^What to bring has changed for “Moving and assisting people” on .*\.\nWhat to bring: Flat shoes\.$/),
    ]);
    expect(await change('Flat shoes.')).toEqual([]);
    expect(await change('')).toEqual([expect.stringMatching(/\nThere is nothing to bring any more\.$/)]);
    expect(await messagesTo('trainer')).toEqual(staff);
  });

  it('tells those who give it', async () => {
    const { id } = await plan();
    await send('PATCH', `/training-sessions/${id}`, { startTime: '10:00' });
    expect(await messagesTo('trainer')).toContainEqual(expect.stringMatching(/has changed\. It is now on .*, 10:00 to 12:30, Mill Lane\.$/));
    await send('PATCH', `/training-sessions/${id}`, { trainer_id: userOf('admin') });
    expect(await messagesTo('trainer')).toContainEqual(expect.stringMatching(/^You no longer give .*: Priya Raman does\.$/));
  });

  const change = (command: string, args: object, id = randomUUID()) => ({ id, version: 1, at: server.clock.now.toISOString(), command, args });
  const take = (id: string, changes: object[]) => send<Register>('PATCH', `/training-sessions/${id}/register`, { changes }, 'trainer');
  const whole = () => change('register.complete', { marks: [], note: '', method: 'signed_in', drawing: null });
  const here = (delegate_id: string | undefined, more: object = {}) =>
    change('register.mark', { delegate_id, presence: 'present', arrived: null, left: null, outcome: null, note: '', instead_of: null, ...more });
  /** A session of today with the learner on it, who is here. */
  const taken = async (more: object = {}, mark: object = {}) => {
    const { id } = await plan({ date: day(0), ...more });
    const { delegates } = (await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] })).body.data;
    const answer = await take(id, [here(delegates[0]?.id, mark), whole()]);
    return { id, delegate: delegates[0]?.id, register: answer.body.data };
  };
  const results = (id: string) =>
    server.database.db.all<{ certificate_suppressed: boolean; score: number | null }>(
      sql`select r.certificate_suppressed, r.score from current_results r join session_delegates d on d.id = r.delegate_id where d.session_id = ${id}`,
    );
  const mails = (who: string) =>
    server.database.db.all<{ subject: string; body: string }>(
      sql`select subject, body from outgoing_mail where recipient = ${`${who}@willowbrook.test`} order by at`,
    );

  const notices = () => {
    const { db } = server.database;
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
    return sendNotices({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => server.clock.now, log: server.app.log });
  };

  it('is marked as incomplete, and finished again', async () => {
    const { id, register } = await taken();
    expect([register.completed !== null, (await results(id)).length]).toEqual([true, 1]);
    const reopen = (reason: string, who = 'admin') => send('POST', `/training-sessions/${id}/reopening`, { reason }, who);
    expect((await reopen(' ')).body.errors).toHaveProperty('reason');
    expect((await reopen('No.', 'trainer')).status).toBe(403);
    const open = (await reopen('The list was the wrong one.')).body.data;
    expect(open).toMatchObject({ completed: null, incomplete: { reason: 'The list was the wrong one.', by: { name: 'Priya Raman' } } });
    expect(await results(id)).toEqual([]);
    expect(await messagesTo('trainer')).toContainEqual(
      expect.stringMatching(/is marked as incomplete: The list was the wrong one\. Please complete it/),
    );
    const again = (await take(id, [whole()])).body.data;
    expect([again.completed !== null, again.incomplete, (await results(id)).length]).toEqual([true, null, 1]);
  });

  it('keeps its certificates until they are released, where the training company says so', async () => {
    const at = (await taken()).register.entity.id;
    await server.database.db.run(
      sql`insert into training_company_settings (entity_id, auto_release_certificates, updated_at, updated_by) values (${at}, false, now(), ${userOf('admin')})`,
    );
    const { id, register } = await taken();
    expect([register.certificates_withheld, await results(id)]).toEqual([true, [{ certificate_suppressed: true, score: null }]]);
    const release = () => send('POST', `/training-sessions/${id}/certificates`);
    expect((await release()).body.data.certificates_withheld).toBe(false);
    expect(await results(id)).toEqual([{ certificate_suppressed: false, score: null }]);
    expect(await messagesTo('learner')).toContainEqual(expect.stringMatching(/^Your certificate for “Moving and assisting people” on .* is ready\./));
    const before = (await messagesTo('learner')).length;
    await release();
    // People recorded later get theirs at once.
    const { delegates } = (await take(id, [change('register.walk_in', { user_id: userOf('manager'), name: 'Manager', note: '' })])).body.data;
    await take(id, [here(delegates.find((d) => d.walk_in)?.id)]);
    expect([(await messagesTo('learner')).length, (await results(id)).map((r) => r.certificate_suppressed)]).toEqual([before, [false, false]]);
    await server.database.db.run(sql`delete from training_company_settings`);
  });

  it('is given by somebody from outside, who is known by name', async () => {
    expect(await refused({ external_provider: true })).toEqual({ external_trainer: ['Enter who gives it.'] });
    const { id } = await plan({ external_provider: true, external_trainer: 'Ann Lee, Safe Hands Ltd' });
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    const own = (await send<OwnBooking[]>('GET', '/bookings/own', undefined, 'learner')).body.data.find((b) => b.session_id === id);
    expect(own).toMatchObject({ external_trainer: 'Ann Lee, Safe Hands Ltd' });
    expect((await send('PATCH', `/training-sessions/${id}`, { external_trainer: '' })).body.errors).toHaveProperty('external_trainer');
  });

  const decide = async (settings: object) => {
    const place = demoId('entity:group');
    await server.database.db.run(sql`delete from training_company_settings where entity_id = ${place}`);
    await server.database.db.run(
      insertRow('training_company_settings', { entity_id: place, ...settings, updated_at: new Date(), updated_by: userOf('admin') }),
    );
    return () => server.database.db.run(sql`delete from training_company_settings where entity_id = ${place}`);
  };
  it('takes the numbers of its provider where it has none of its own, and is not virtual where that holds none', async () => {
    const undo = await decide({ theory_min_delegates: 6, theory_max_delegates: 9, allow_virtual_training_sessions: false });
    expect(await plan({ maxDelegates: null, grading_method: 'attendance' })).toMatchObject({ minDelegates: 6, maxDelegates: 9 });
    expect(await plan({ maxDelegates: 4, grading_method: 'attendance' })).toMatchObject({ minDelegates: 4, maxDelegates: 4 });
    expect(await plan({ maxDelegates: null, grading_method: 'practical' })).toMatchObject({ minDelegates: null, maxDelegates: null });
    const why = { virtual: ['Your organisation holds no virtual sessions. This is one of its settings.'] };
    expect(await refused({ virtual: true })).toEqual(why);
    const { id } = await plan();
    expect((await send('PATCH', `/training-sessions/${id}`, { virtual: true })).body.errors).toEqual(why);
    await undo();
  });

  it('moves a week on with all that follow of its series, none in the way of another; and begins later on all of them', async () => {
    const first = await plan({ repeat: { every_weeks: 1, times: 3 } });
    const days = () =>
      server.database.db.all<{ date: string; start: string }>(
        sql`select date::text as date, start_time::text as start from training_sessions where series_id = ${first.series?.id ?? null} order by date`,
      );
    const before = await days();
    const moved = await send('PATCH', `/training-sessions/${first.id}`, { date: addDays(first.date, 7), following: true });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    expect((await days()).map((d) => d.date)).toEqual(before.map((d) => addDays(d.date, 7)));
    const later = await send('PATCH', `/training-sessions/${first.id}`, { startTime: '10:15', following: true });
    expect(later.status, JSON.stringify(later.body)).toBe(200);
    expect(new Set((await days()).map((d) => d.start))).toEqual(new Set(['10:15:00']));
  });

  it('reminds those booked the day before in the words of its provider, once, and not where it sends no e-mail', async () => {
    const preferences = (email: boolean) => JSON.stringify([{ kind: 'reminder', email, text: 'Do not forget {course} in {place}, {name}!' }]);
    const undo = await decide({ communication_preferences_json: preferences(true) });
    // Nobody has another one there: at night those of the same day are reminded of as well.
    const { id, date } = await plan({ date: day(3), venue: 'The far hall' });
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('liam.murphy')] });
    const reminded = async () =>
      (await mails('liam.murphy')).filter((m) => m.body.includes('Do not forget Moving and assisting people in The far hall, Liam Murphy!'));
    await notices();
    expect(await reminded()).toEqual([]);
    server.clock.now = new Date(Date.parse(instantOf(date, '09:30', 'Europe/London')) - 12 * 3_600_000);
    for (const _ of [1, 2]) await notices();
    expect(await reminded()).toHaveLength(1);
    await decide({ communication_preferences_json: preferences(false) });
    await server.database.db.run(sql`update session_delegates set reminded_at = null where session_id = ${id}`);
    await notices();
    expect(await reminded()).toHaveLength(1);
    await undo();
    for (const who of Object.keys(clients)) await clients[who]?.signIn(`${who}@willowbrook.test`);
  });

  it('sends the link of a virtual one the day before, to who is booked later, and again where it changes', async () => {
    const link = 'https://meet.example.org/first';
    const { id } = await plan({ date: day(2), virtual: true, joining_link: link });
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('learner')] });
    const linked = async (who: string) => (await mails(who)).flatMap((m) => /https:\/\/meet\S+/.exec(m.body) ?? []);
    await notices();
    expect(await linked('learner')).toEqual([]);
    server.clock.now = new Date(server.clock.now.getTime() + 86_400_000 * 1.5);
    await notices();
    await notices();
    expect(await linked('learner')).toEqual([link]);
    for (const who of ['admin', 'learner']) await clients[who]?.signIn(`${who}@willowbrook.test`);
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: [userOf('grace.adeyemi')] });
    await send('PATCH', `/training-sessions/${id}`, { joining_link: 'https://meet.example.org/second' });
    await notices();
    expect([await linked('learner'), await linked('grace.adeyemi')]).toEqual([
      [link, 'https://meet.example.org/second'],
      ['https://meet.example.org/second'],
    ]);
  });

  it('tells who planned it, once, that too few are booked a week before', async () => {
    const { id } = await plan({ date: day(8), minDelegates: 2, venue: 'The empty hall' });
    const risks = async () => (await mails('admin')).filter((m) => m.subject.startsWith('At risk') && m.body.includes('The empty hall'));
    await notices();
    expect(await risks()).toEqual([]);
    await send('PATCH', `/training-sessions/${id}`, { date: day(7) });
    await notices();
    await notices();
    expect(await risks()).toEqual([expect.objectContaining({ body: expect.stringContaining('0 of the 2 it is held for are booked') })]);
  });

  it('is graded as its plan says, and a score goes into the record', async () => {
    expect(await refused({ grading_method: 'score' })).toEqual({ pass_mark: ['Enter the pass mark.'] });
    const recorded = async (more: object, mark: object) => results((await taken(more, mark)).id);
    const kept = (score: number | null) => [{ certificate_suppressed: false, score }];
    const score = { grading_method: 'score', pass_mark: 70 };
    expect(await recorded(score, { score: 69 })).toEqual([]);
    expect(await recorded(score, { score: 70 })).toEqual(kept(70));
    // A device of an older version does not send it.
    expect(await recorded(score, {})).toEqual([]);
    const both = { grading_method: 'practical_theory' };
    expect(await recorded(both, { outcome: 'passed' })).toEqual([]);
    expect(await recorded(both, { outcome: 'passed', theory: 'not_yet' })).toEqual([]);
    expect(await recorded(both, { outcome: 'passed', theory: 'passed' })).toEqual(kept(null));
    expect(await recorded({ grading_method: 'pass_fail' }, { outcome: 'not_yet' })).toEqual([]);
    expect(await recorded({ grading_method: 'pass_fail' }, { outcome: 'passed' })).toEqual(kept(null));

    const { id, delegate, register } = await taken(score, { score: 80 });
    const mark = register.delegates[0]?.marks[0];
    const better = (await take(id, [here(delegate, { score: 90, instead_of: mark?.id })])).body.data;
    expect([better.delegates[0]?.marks.map((m) => m.score), await results(id)]).toEqual([[80, 90], kept(90)]);
    expect((await take(id, [here(delegate, { score: 101 })])).status).toBe(422);
  });

  it('asks those booked where it is moved, who keep their place until they say that they cannot come', async () => {
    const { id } = await plan();
    await send('POST', `/training-sessions/${id}/delegates`, { user_ids: ['learner', 'grace.adeyemi'].map(userOf) });
    const own = async () => (await send<OwnBooking[]>('GET', '/bookings/own', undefined, 'learner')).body.data.find((b) => b.session_id === id);
    const moves = async () =>
      (await send('GET', `/training-sessions/${id}`)).body.data.delegates.filter((d) => d.removed === null).map((d) => [d.name, d.move]);
    await send('PATCH', `/training-sessions/${id}`, { venue: 'Mill House' });
    expect((await own())?.move_asked).toBe(false);
    const later = { date: day(15) };
    const moved = await send('PATCH', `/training-sessions/${id}`, later);
    expect([moved.status, await own()]).toMatchObject([200, { move_asked: true, state: 'booked', date: day(15) }]);
    expect((await moves()).map(([, move]) => move)).toEqual(['asked', 'asked']);
    const path = `/bookings/own/${(await own())?.id}/agreement`;
    expect((await send('POST', path, undefined, 'manager')).status).toBe(404);
    const agreed = await send<OwnBooking>('POST', path, undefined, 'learner');
    expect([agreed.status, agreed.body.data.move_asked]).toEqual([201, false]);
    expect(Object.fromEntries(await moves())).toMatchObject({ 'Grace Adeyemi': 'asked' });
    expect((await moves()).map(([, move]) => move).toSorted()).toEqual(['agreed', 'asked']);
    // Moved again, they are asked again; people who cannot come are off the list.
    await send('PATCH', `/training-sessions/${id}`, { startTime: '10:00' });
    expect((await own())?.move_asked).toBe(true);
    await send('POST', `/bookings/own/${(await own())?.id}/cancellation`, { reason: 'I am at work.' }, 'learner');
    expect([await moves(), (await own())?.move_asked]).toEqual([[['Grace Adeyemi', 'asked']], false]);
  });

  it('repeats on the same weekday; one is changed or cancelled alone, or with those that follow', async () => {
    const venue = 'The hall of the series';
    const every = (repeat: object) => refused({ venue, repeat });
    expect(await every({ every_weeks: 0, times: 4 })).toHaveProperty('repeat.every_weeks');
    expect(await every({ every_weeks: 1, times: 27 })).toHaveProperty('repeat.times');
    const first = await plan({ venue, repeat: { every_weeks: 1, times: 4 } });
    expect(first.series).toMatchObject({ no: 1, of: 4 });
    const series = async () =>
      (await send<SessionRow[]>('GET', '/training-sessions?search=The+hall+of+the+series&when=all&sort=date')).body.data.map(
        ({ id, date, startTime, cancelled }) => ({
          ...{ id, date, startTime },
          off: cancelled !== null,
        }),
      );
    expect((await series()).map((s) => s.date)).toEqual([14, 21, 28, 35].map(day));
    const [, second, third, fourth] = await series();
    await send('PATCH', `/training-sessions/${second?.id}`, { startTime: '10:00' });
    expect((await series()).map((s) => s.startTime)).toEqual(['09:30', '10:00', '09:30', '09:30']);
    // The one is moved by a day, and so are those that follow; somebody booked on the last is asked.
    await send('POST', `/training-sessions/${fourth?.id}/delegates`, { user_ids: [userOf('learner')] });
    await send('PATCH', `/training-sessions/${third?.id}`, { date: day(29), venue, following: true });
    expect((await series()).map((s) => s.date)).toEqual([14, 21, 29, 36].map(day));
    expect((await send('GET', `/training-sessions/${fourth?.id}`)).body.data.delegates).toMatchObject([{ move: 'asked' }]);
    // All of them, or none: on the last, more are booked.
    await send('POST', `/training-sessions/${fourth?.id}/delegates`, { user_ids: [userOf('grace.adeyemi')] });
    const none = await send('PATCH', `/training-sessions/${third?.id}`, { maxDelegates: 1, following: true });
    expect([none.status, (await send('GET', `/training-sessions/${third?.id}`)).body.data.maxDelegates]).toEqual([422, 12]);
    await send('POST', `/training-sessions/${second?.id}/cancellation`, { cancellation_reason_id: 'too_few', notes: '', following: true });
    expect((await series()).map((s) => s.off)).toEqual([false, true, true, true]);
    expect((await messagesTo('learner')).filter((m) => m.includes(venue) && m.includes('Too few people are booked.'))).toHaveLength(1);
  });
});

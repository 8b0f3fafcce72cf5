import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckInKey, OwnCheckIn } from '#contract/entities/check-in.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Delegate, Register } from '#contract/entities/training-session.ts';
import { checkInCode, checkInStep } from '#contract/rules/check-in.ts';
import { instantOf } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; message?: string; meta?: { outcomes: { outcome: string }[] } };
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);
const zone = 'Europe/London';
// The day on which the clocks go forward, and one on which they do not.
const day = '2027-03-28';
const minute = 60_000;

describe('checking in to a session', () => {
  let server: TestApp;
  let admin: TestClient;
  let trainer: TestClient;
  let learner: TestClient;
  let session: string;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const at = (time: string, on = day) => {
    server.clock.now = new Date(instantOf(on, time, zone));
  };
  const held = async (date: string, trainedBy = 'trainer') => {
    const plan = {
      date,
      startTime: '09:30',
      endTime: '12:30',
      venue: 'Mill Lane',
      room: '',
      aim: '',
      maxDelegates: 20,
      grading_method: 'attendance',
    };
    const made = await admin.json<Answer<Register>>('POST', '/training-sessions', {
      ...{ ...plan, course_id: demoId('course:Moving and assisting people'), trainer_id: userOf(trainedBy) },
    });
    await admin.json('POST', `/training-sessions/${made.body.data.id}/delegates`, { user_ids: ['learner', 'liam.murphy'].map(userOf) });
    return made.body.data.id;
  };
  const keyOf = (id = session, by = trainer) => by.json<Answer<CheckInKey>>('GET', `/training-sessions/${id}/check-in-key`);
  const secretOf = async (id: string) =>
    (await server.database.db.one<{ key: string }>(sql`select key from check_in_keys where session_id = ${id}`))?.key as string;
  /** The code that the trainer’s device shows, now or some steps ago. */
  const shown = async (ago = 0, id = session) => {
    const step = checkInStep(server.clock.now) - ago;
    return { code: await checkInCode(await secretOf(id), id, step), step };
  };
  type Said = { code: string; step: number | null };
  const change = (args: Said, seen = server.clock.now) => ({ id: randomUUID(), version: 1, at: seen.toISOString(), command: 'check_in.make', args });
  const send = (what: object, by = learner, id = session) =>
    by.json<Answer<OwnCheckIn>>('PATCH', `/training-sessions/${id}/check-in`, { changes: [what] });
  const codeOf = async (what: object, by = learner, id = session) => {
    const { status, body } = await send(what, by, id);
    return [status, body.code];
  };
  const wrong = { code: '00000000', step: null };
  const register = async (by = trainer) => (await by.json<Answer<Register>>('GET', `/training-sessions/${session}`)).body.data;
  const amara = async () => (await register()).delegates.find((d) => d.user?.id === userOf('learner')) as Delegate;
  const booking = async () =>
    (await learner.json<Answer<OwnBooking[]>>('GET', '/bookings/own')).body.data.find((b) => b.session_id === session) as OwnBooking;

  beforeAll(async () => {
    server = await startTestApp();
  });
  beforeEach(async () => {
    at('09:20');
    await server.database.db.run(sql`update training_sessions set date = '2027-01-01' where date = ${day}::date`);
    await server.database.db.run(sql`delete from sign_in_failures`);
    [admin, trainer, learner] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('trainer@willowbrook.test'),
      await signedIn('learner@willowbrook.test'),
    ];
    session = await held(day);
  });
  afterAll(() => server.close());

  it('notes it once, with the code that was scanned or typed, beside the marks of the register', async () => {
    const before = await register();
    expect((await amara()).checked_in).toBeNull();
    const first = change(await shown());
    const seen = server.clock.now.toISOString();
    expect((await send(first)).body).toMatchObject({
      data: { session_id: session, at: seen, late: false },
      meta: { outcomes: [{ outcome: 'applied' }] },
    });
    expect(await amara()).toMatchObject({ checked_in: { at: seen, late: false }, marks: [] });
    expect((await register()).rev).toBe(before.rev + 1);
    expect(await booking()).toMatchObject({ checked_in: { at: seen, late: false }, state: 'booked' });
    // Received again, and once more later with another or a wrong code: the first counts.
    server.clock.now = new Date(server.clock.now.getTime() + 10 * minute);
    for (const again of [first, change(await shown()), change(wrong)]) expect((await send(again)).body.data).toMatchObject({ at: seen });
    expect((await register()).rev).toBe(before.rev + 1);
    // Somebody else types it, without a step.
    const liam = await signedIn('liam.murphy@willowbrook.test');
    const { code } = await shown(2);
    expect((await send(change({ code, step: null }), liam)).body.data).toMatchObject({ late: false });
    // The register records only what was entered: nobody is present by it.
    expect((await register()).delegates.every((d) => d.marks.length === 0)).toBe(true);
  });

  it('tells a wrong code from one that is too old, and notes neither', async () => {
    expect(await codeOf(change(wrong))).toEqual([422, 'wrong_code']);
    expect(await codeOf(change({ ...(await shown()), code: '00000000' }))).toEqual([422, 'wrong_code']);
    // A code sent with the wrong step, and one of another session.
    expect(await codeOf(change({ ...(await shown()), step: checkInStep(server.clock.now) + 1 }))).toEqual([422, 'wrong_code']);
    const other = await held(day, 'admin');
    expect(await codeOf(change(await shown(0, other)))).toEqual([422, 'wrong_code']);
    const old = await shown(3);
    expect(await codeOf(change(old))).toEqual([422, 'code_too_old']);
    learner = await signedIn('learner@willowbrook.test');
    expect(await codeOf(change({ ...old, step: null }))).toEqual([422, 'code_too_old']);
    expect((await amara()).checked_in).toBeNull();
    expect((await send(change(await shown(2)))).status).toBe(200);
  });

  it('accepts one that was kept without a signal, from the time at which the code was seen, and says that it is late', async () => {
    const kept = change(await shown());
    const seen = server.clock.now.toISOString();
    // The same code with a later time is too old.
    at('10:00');
    expect(await codeOf({ ...kept, id: randomUUID(), at: server.clock.now.toISOString() })).toEqual([422, 'code_too_old']);
    at('18:00');
    [trainer, learner] = [await signedIn('trainer@willowbrook.test'), await signedIn('learner@willowbrook.test')];
    expect((await send(kept)).body).toMatchObject({ data: { at: seen, late: true }, meta: { outcomes: [{ outcome: 'late' }] } });
    expect((await amara()).checked_in).toEqual({ at: seen, late: true, clock_off_ms: null });
  });

  it('is open from an hour before the session to its end, on its day', async () => {
    const liam = await signedIn('liam.murphy@willowbrook.test');
    at('09:30', '2027-03-27');
    expect(await codeOf(change(await shown()))).toEqual([422, 'check_in_closed']);
    // A code of the day before, with a time during the session.
    const early = await shown();
    at('08:29');
    expect(await codeOf(change(await shown()))).toEqual([422, 'check_in_closed']);
    at('09:30');
    expect(await codeOf(change(early))).toEqual([422, 'code_too_old']);
    at('12:31');
    expect(await codeOf(change(await shown()))).toEqual([422, 'check_in_closed']);
    at('08:30');
    expect((await send(change(await shown()), liam)).status).toBe(200);
  });

  it('is for people on the list: those removed, waiting or walking in get the reason, and for strangers there is no such session', async () => {
    const grace = await signedIn('grace.adeyemi@willowbrook.test');
    expect(await codeOf(change(await shown()), grace)).toEqual([422, 'not_on_list']);
    await admin.json('DELETE', `/training-sessions/${session}/delegates/${(await amara()).id}`);
    expect(await codeOf(change(await shown()))).toEqual([422, 'not_on_list']);
    const stranger = await signedIn('learner@harbourview.test');
    for (const what of [change(await shown()), change(wrong)]) expect(await codeOf(what, stranger)).toEqual([404, 'not_found']);
    expect(await codeOf(change(await shown()), learner, randomUUID())).toEqual([404, 'not_found']);
    const liam = await signedIn('liam.murphy@willowbrook.test');
    await admin.json('POST', `/training-sessions/${session}/cancellation`, { notes: 'The hall is flooded.' });
    expect(await codeOf(change(await shown()), liam)).toEqual([422, 'session_cancelled']);
    expect(await server.database.db.all(sql`select 1 as one from check_ins where session_id = ${session}`)).toEqual([]);
  });

  it('lets nobody try codes until one is right', async () => {
    for (let i = 0; i < 5; i++) expect(await codeOf(change({ code: String(i).padStart(8, '0'), step: null }))).toEqual([422, 'wrong_code']);
    const blocked = await send(change(await shown()));
    expect([blocked.status, blocked.body.code, Number(blocked.headers['retry-after']) > 0]).toEqual([429, 'too_many_attempts', true]);
    // The throttle applies to the person who tries, not to those beside them.
    expect((await send(change(await shown()), await signedIn('liam.murphy@willowbrook.test'))).status).toBe(200);
    server.clock.now = new Date(server.clock.now.getTime() + minute);
    expect((await send(change(await shown()))).status).toBe(200);
    // Correct codes, and those wrong for another reason, do not count as guesses.
    for (let i = 0; i < 8; i++) expect((await send(change(await shown()))).status).toBe(200);
  });

  it('keeps what the codes are computed from to those who take the register', async () => {
    const key = await keyOf();
    expect(key.body.data).toEqual({
      ...{ session_id: session, key: await secretOf(session) },
      ...{ opens_at: instantOf(day, '08:30', zone), closes_at: instantOf(day, '12:30', zone) },
    });
    expect(key.body.data.key).toMatch(/^[0-9a-f]{64}$/);
    const own = (await trainer.json<Answer<CheckInKey[]>>('GET', '/registers/check-in-keys')).body.data;
    expect(own.find((k) => k.session_id === session)).toEqual(key.body.data);
    expect(new Set(own.map((k) => k.key)).size).toBe(own.length);
    // Somebody who sees the session and its register, and may not write in it.
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id)
      select ${userOf('manager')}, p from unnest(array[10, 118]) p on conflict do nothing`);
    const denied = [learner, await signedIn('manager@willowbrook.test')];
    for (const who of denied)
      expect([(await keyOf(session, who)).status, (await who.json('GET', '/registers/check-in-keys')).status]).toEqual([403, 403]);
    // Somebody who may write in registers, of another organisation.
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id)
      select id, 128 from users where email = 'admin@brightpath.test' on conflict do nothing`);
    const stranger = await signedIn('admin@brightpath.test');
    expect((await keyOf(session, stranger)).status).toBe(404);
    expect((await stranger.json<Answer<CheckInKey[]>>('GET', '/registers/check-in-keys')).body.data.map((k) => k.session_id)).not.toContain(session);
    // It is in no other answer and no other record.
    await send(change(await shown()));
    const said = await Promise.all(
      [`/training-sessions/${session}`, '/training-sessions?when=all', '/registers'].map(async (path) => (await trainer.send('GET', path)).body),
    );
    const written = await server.database.db.all(
      sql`select row_to_json(a)::text as row from audit_log a union all select row_to_json(l)::text from ledger l`,
    );
    expect([...said, JSON.stringify(written), JSON.stringify(await booking())].filter((text) => text.includes(key.body.data.key))).toEqual([]);
  });

  it('answers what was not written as the app writes it with a sentence at the field', async () => {
    for (const args of [{ code: '1234567', step: null }, { code: '12345678', step: -1 }, { code: '12345678' }, { code: 12_345_678, step: null }])
      expect(await codeOf(change(args as unknown as Said))).toEqual([422, 'invalid_input']);
    expect(await codeOf({ ...change(await shown()), at: '2000-01-01T00:00:00.000Z' })).toEqual([422, 'check_in_closed']);
    // A clock that is ahead is put back to now.
    const ahead = new Date(server.clock.now.getTime() + 60 * minute);
    expect((await send(change(await shown(), ahead))).body.data.at).toBe(server.clock.now.toISOString());
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Booking } from '#contract/entities/booking.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { DelegatesGiven, OtherSession, Register, WaitingPerson } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { acceptUntil, answerState } from '#contract/rules/delegate-answer.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; message?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const brightpath = demoId('entity:brightpath');
const group = demoId('entity:group');
const course_id = demoId('course:Moving and assisting people');
const provider = 'admin@brightpath.test';
const hourMs = 3_600_000;

describe('delegates', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = (who: string) => clients.get(who) as TestClient;
  const send = async <T = Register>(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    as(who).json<Answer<T>>(method, path, body);
  let next = 10;
  /** On a day on which nobody gives another. */
  const planned = async (who: string, maxDelegates: number | null = 12): Promise<string> => {
    const date = addDays(dayIn(server.clock.now, 'Europe/London'), next++);
    const plan = { date, startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', grading_method: 'attendance', maxDelegates };
    const trainer_id = who === provider ? userOf(provider) : userOf('trainer');
    await server.database.db.run(sql`delete from booking_places where session_id in (select id from training_sessions where date = ${date}::date)`);
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where date = ${date}::date`);
    const made = await send(who, 'POST', '/training-sessions', { ...plan, course_id, trainer_id, availableTo: 'clients', area: 'Kent' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data.id;
  };
  const put = (id: string, ...who: string[]) => send('admin', 'POST', `/training-sessions/${id}/delegates`, { user_ids: who.map(userOf) });
  const register = async (id: string, who = 'admin') => (await send(who, 'GET', `/training-sessions/${id}`)).body.data;
  const listed = async (id: string, who = 'admin') => (await register(id, who)).delegates.filter((d) => d.removed === null).map((d) => d.name);
  const delegate = async (id: string, who: string, by = 'admin') => (await register(id, by)).delegates.find((d) => d.user?.id === userOf(who));
  const own = async (id: string, who = 'learner') =>
    (await send<OwnBooking[]>(who, 'GET', '/bookings/own')).body.data.find((b) => b.session_id === id);
  const messagesTo = async (who: string) =>
    (
      await server.database.db.all<{ message: string }>(
        sql`select message from messages where recipient_id = ${userOf(who)} and by_product order by sent_at, received_at`,
      )
    ).map((m) => m.message);
  /** How long the provider waits for an answer; null for ever, 0 not at all. */
  const period = (entity: string, hours: number | null) =>
    server.database.db.run(sql`insert into training_company_settings (entity_id, delegate_auto_accept_period, updated_at, updated_by)
      values (${entity}, ${hours}, now(), ${userOf('admin')}) on conflict (entity_id) do update set delegate_auto_accept_period = excluded.delegate_auto_accept_period`);
  const give = (who: string, how: 'copy' | 'transfer', from: string, to: string, more: object = {}) =>
    send<DelegatesGiven>(who, 'POST', `/training-sessions/${from}/delegates/${how}`, { session_id: to, delegate_ids: null, waiting: false, ...more });
  const graph = async <T>(who: string, query: string, variables: object = {}) =>
    (
      await as(who).json<{ data: Record<string, T> | null; errors?: { extensions: { code: string; errors?: Record<string, string[]> } }[] }>(
        'POST',
        '/graphql',
        { query, variables },
      )
    ).body;

  beforeAll(async () => {
    server = await startTestApp();
    // Of another organisation, with every permission there.
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id)
      select ${userOf('learner@harbourview.test')}, x from unnest(array[9, 10, 11, 123, 128]) x on conflict do nothing`);
    for (const who of ['admin', 'trainer', 'learner', 'manager', 'learner@harbourview.test', provider]) {
      const client = server.client();
      await client.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
      clients.set(who, client);
    }
    await server.database.db.run(sql`update entities set can_view_external_bookings = true, can_manage_bookings = true
      where id = any(${[brightpath, group]}::uuid[])`);
    await period(brightpath, 0);
  }, 240_000);
  afterAll(() => server.close());

  it('are asked nothing where their provider does not wait for an answer', async () => {
    const id = await planned('admin');
    await put(id, 'learner');
    expect([(await own(id))?.answer, (await delegate(id, 'learner'))?.answer]).toEqual([null, null]);
    expect((await messagesTo('learner')).at(-1)).not.toContain('whether you can come');
    const same = await send<OwnBooking>('learner', 'POST', `/bookings/own/${(await own(id))?.id}/agreement`);
    expect([same.status, same.body.data.answer]).toEqual([201, null]);
  });

  it('accept, count as coming after the time that their provider gives, and decline', async () => {
    await period(group, 48);
    const id = await planned('admin');
    await put(id, 'learner', 'grace.adeyemi', 'manager', 'admin');
    const until = new Date(server.clock.now.getTime() + 48 * hourMs);
    const asked = await own(id);
    expect([asked?.answer, asked?.move_asked]).toEqual([{ at: null, counts_at: until.toISOString(), lapses_at: null }, false]);
    expect((await messagesTo('learner')).at(-1)).toMatch(/Please say under Your bookings whether you can come\. If you say nothing within 48 hours/);
    // People who book themselves have accepted.
    expect((await delegate(id, 'admin'))?.answer?.at).toBe(server.clock.now.toISOString());
    const path = `/bookings/own/${asked?.id}/agreement`;
    expect((await send('manager', 'POST', path)).status).toBe(404);
    expect((await send<OwnBooking>('learner', 'POST', path)).body.data.answer?.at).toBe(server.clock.now.toISOString());
    const state = async (who: string, now = server.clock.now) => answerState((await delegate(id, who))?.answer, now.toISOString());
    expect([await state('learner'), await state('grace.adeyemi'), await state('grace.adeyemi', until)]).toEqual(['accepted', 'asked', 'accepted']);
    // Declining gives up the place, and is recorded.
    const mine = await own(id, 'manager');
    const declined = await send<OwnBooking>('manager', 'POST', `/bookings/own/${mine?.id}/cancellation`, { reason: 'On leave.' });
    expect(declined.body.data.state).toBe('not_coming');
    expect((await delegate(id, 'manager'))?.removed).toMatchObject({ declined: true, why: 'On leave.', by: { id: userOf('manager') } });
    expect((await send('manager', 'POST', `/bookings/own/${mine?.id}/agreement`)).body.code).toBe('session_over');
    // Put back, they are asked again.
    const back = await send('admin', 'POST', `/training-sessions/${id}/delegates/${(await delegate(id, 'manager'))?.id}/restoration`);
    expect(back.status).toBe(201);
    expect(await delegate(id, 'manager')).toMatchObject({ removed: null, answer: { at: null } });
    await period(group, 0);
  });

  it('give one answer, also where the session is moved', async () => {
    await period(group, null);
    const id = await planned('admin');
    await put(id, 'learner', 'grace.adeyemi');
    const accept = async () => (await send<OwnBooking>('learner', 'POST', `/bookings/own/${(await own(id))?.id}/agreement`)).body.data;
    expect((await own(id))?.answer).toEqual({ at: null, counts_at: null, lapses_at: null });
    await accept();
    await send('admin', 'PATCH', `/training-sessions/${id}`, { date: addDays(dayIn(server.clock.now, 'Europe/London'), next++) });
    // People who had accepted are asked again; others are asked once.
    expect(await own(id)).toMatchObject({ move_asked: true, answer: { at: null } });
    expect(await accept()).toMatchObject({ move_asked: false, answer: { at: server.clock.now.toISOString() } });
    expect(await delegate(id, 'learner')).toMatchObject({ move: 'agreed' });
    expect(await delegate(id, 'grace.adeyemi')).toMatchObject({ move: 'asked', answer: { at: null } });
    await period(group, 0);
  });

  it('are answered for by the office and the trainer, not by others', async () => {
    await period(group, null);
    const id = await planned('admin', 1);
    await put(id, 'learner');
    await send<WaitingPerson[]>('admin', 'POST', `/training-sessions/${id}/waiting`, { user_ids: [userOf('grace.adeyemi')] });
    const path = `/training-sessions/${id}/delegates/${(await delegate(id, 'learner'))?.id}/answer`;
    expect((await send('learner', 'POST', path, { answer: 'accepted', reason: '' })).status).toBe(403);
    expect((await send('learner@harbourview.test', 'POST', path, { answer: 'accepted', reason: '' })).status).toBe(404);
    expect((await send('trainer', 'POST', path, { answer: 'accepted', reason: '' })).status).toBe(201);
    expect((await delegate(id, 'learner'))?.answer?.at).not.toBeNull();
    await send('admin', 'POST', path, { answer: 'declined', reason: 'Ill.' });
    expect((await delegate(id, 'learner'))?.removed).toMatchObject({ declined: true, why: 'Ill.' });
    expect(await own(id)).toMatchObject({ state: 'not_coming', reason: 'Ill.' });
    // The place goes to the next on the waiting list, who is asked in turn, with the usual deadline.
    expect(await listed(id)).toEqual(['Grace Adeyemi']);
    const lapses = acceptUntil(server.clock.now, `${(await register(id)).date}T09:30:00Z`, 24)?.toISOString();
    expect((await delegate(id, 'grace.adeyemi'))?.answer).toEqual({ at: null, counts_at: null, lapses_at: lapses });
    const full = await send('admin', 'POST', path.replace('/answer', '/restoration'));
    expect(full.body.errors?.delegate?.[0]).toMatch(/the session is full/);
    await period(group, 0);
  });

  it('are copied to another session: who is there stays, and nobody is put there where there are too few places', async () => {
    const [from, to] = [await planned('admin'), await planned('admin', 2)];
    await put(from, 'learner', 'grace.adeyemi', 'liam.murphy');
    await put(to, 'learner');
    const offered = (await send<OtherSession[]>('admin', 'GET', `/training-sessions/${from}/others`)).body.data;
    expect(offered.find((s) => s.id === to)).toMatchObject({ delegates: 1, maxDelegates: 2, there: [userOf('learner')] });
    expect(offered.some((s) => s.id === from)).toBe(false);
    expect((await give('admin', 'copy', from, to)).body.errors?.waiting?.[0]).toMatch(/: 1 place is left for 2 people\./);
    expect(await listed(to)).toHaveLength(1);
    const copied = await give('admin', 'copy', from, to, { waiting: true });
    expect([copied.status, copied.body.data.already.map((p) => p.id)]).toEqual([201, [userOf('learner')]]);
    expect([copied.body.data.booked, copied.body.data.waiting].map((l) => l.length)).toEqual([1, 1]);
    expect([(await listed(from)).length, (await listed(to)).length]).toEqual([3, 2]);
    // Repeating it changes nothing.
    expect((await give('admin', 'copy', from, to)).body.data).toMatchObject({ booked: [], waiting: [], already: [{}, {}, {}] });
    const theirs = await planned(provider);
    expect((await give('admin', 'copy', from, theirs)).body.errors).toHaveProperty('session_id');
    expect((await give('admin', 'copy', from, from)).body.errors).toHaveProperty('session_id');
    expect((await give(provider, 'copy', from, theirs)).status).toBe(404);
    expect((await give('learner', 'copy', from, to)).status).toBe(403);
  });

  it('are moved to another session in one step, and notified once', async () => {
    const [from, to] = [await planned('admin', 2), await planned('admin')];
    await put(from, 'learner', 'grace.adeyemi');
    await send<WaitingPerson[]>('admin', 'POST', `/training-sessions/${from}/waiting`, { user_ids: [userOf('liam.murphy')] });
    const before = (await messagesTo('learner')).length;
    const who = { delegate_ids: [(await delegate(from, 'learner'))?.id] };
    expect((await give('manager', 'transfer', from, to, who)).status).toBe(403);
    const moved = await give('admin', 'transfer', from, to, who);
    expect(moved.body.data.booked.map((p) => p.id)).toEqual([userOf('learner')]);
    expect([(await listed(from)).toSorted(), await listed(to)]).toEqual([['Grace Adeyemi', 'Liam Murphy'], [(await delegate(to, 'learner'))?.name]]);
    const fresh = (await messagesTo('learner')).slice(before);
    expect(fresh).toEqual([expect.stringMatching(/^You are moved from “Moving and assisting people” on .* to “Moving and assisting people” on /)]);
    expect((await give('admin', 'transfer', from, to, who)).body.errors).toHaveProperty('delegate_ids');
    // All leave a cancelled session at once.
    await send('admin', 'POST', `/training-sessions/${from}/cancellation`, { notes: 'Flooded.' });
    expect((await give('admin', 'transfer', from, to)).body.data.booked).toHaveLength(2);
    expect([await listed(from), (await listed(to)).length]).toEqual([[], 3]);
  });

  it('never get more places than there are, also with concurrent copies, moves and bookings', async () => {
    const to = await planned('admin', 3);
    const [a, b] = [await planned('admin'), await planned('admin')];
    await put(a, 'learner', 'grace.adeyemi');
    await put(b, 'liam.murphy', 'megan.davies');
    const answers = await Promise.all([
      give('admin', 'copy', a, to),
      give('admin', 'transfer', b, to),
      give('admin', 'copy', b, to),
      // The other way round, for the order of the locks.
      give('admin', 'copy', to, a),
      put(to, 'daniel.osei'),
    ]);
    expect(
      answers.every((x) => [200, 201, 422].includes(x.status)),
      JSON.stringify(answers.map((x) => x.body)),
    ).toBe(true);
    const on = await listed(to);
    expect(on.length).toBeLessThanOrEqual(3);
    expect(new Set(on).size).toBe(on.length);
    expect(on.length).toBeGreaterThan(0);
  });

  it('keep their booking, so that the client sees where they are; the provider sees nothing else of it', async () => {
    await period(brightpath, null);
    await server.database.db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
      values (gen_random_uuid(), ${brightpath}, ${group}, ${userOf(provider)}, now()) on conflict do nothing`);
    const [from, to] = [await planned(provider), await planned(provider)];
    const body = { session_ids: [from], user_ids: [userOf('learner'), userOf('grace.adeyemi')], notes: '', waiting: false };
    const { id } = (await send<Booking>('admin', 'POST', '/bookings', body)).body.data;
    const states = async (who = 'admin') =>
      (await send<Booking>(who, 'GET', `/bookings/${id}`)).body.data.sessions.map((s) => [
        s.id === from ? 'from' : 'to',
        s.places.map((p) => p.state),
      ]);
    expect(await states()).toEqual([['from', ['asked', 'asked']]]);
    await send<OwnBooking>('learner', 'POST', `/bookings/own/${(await own(from))?.id}/agreement`);
    expect((await states())[0]?.[1]).toContain('accepted');
    expect((await give('admin', 'transfer', from, to)).status).toBe(404);
    const who = { delegate_ids: [(await delegate(from, 'grace.adeyemi', provider))?.id] };
    // If it may not change clients' bookings, it moves none of their people.
    await server.database.db.run(sql`update entities set can_manage_bookings = false where id = ${brightpath}`);
    expect((await give(provider, 'transfer', from, to, who)).body.errors?.delegate_ids?.[0]).toMatch(/Grace Adeyemi\.$/);
    await server.database.db.run(sql`update entities set can_manage_bookings = true where id = ${brightpath}`);
    expect((await give(provider, 'transfer', from, to, who)).status).toBe(201);
    expect(Object.fromEntries(await states())).toMatchObject({ from: expect.arrayContaining(['removed', 'accepted']), to: ['asked'] });
    const { history } = (await send<Booking>('admin', 'GET', `/bookings/${id}`)).body.data;
    expect(history[0]?.words).toMatch(/^Moved to “Moving and assisting people” on .*: Grace Adeyemi$/);
    // A person who declines is recorded as having declined.
    await send<OwnBooking>('learner', 'POST', `/bookings/own/${(await own(from))?.id}/cancellation`, { reason: 'Ill.' });
    expect(Object.fromEntries(await states()).from).toContain('declined');
    await period(brightpath, 0);
  });

  describe('and sessions and bookings by GraphQL', () => {
    const session = `mutation ($input: TrainingSessionInput!) { upsertTrainingSession(input: $input) { id aim area trainerId cancelled cancellation_reason_id
      cancellation_notes completed external_provider } }`;
    type Session = { id: string; area: string; cancelled: boolean };
    it('are found, planned, changed, cancelled', async () => {
      const id = await planned('admin');
      await put(id, 'learner');
      const list = `query ($search: String, $first: Int) { training_sessions(search: $search, first: $first, when: "coming") {
        data { id area maxDelegates availableTo delegates { name accepted deleted } } paginatorInfo { total perPage lastPage } } }`;
      const found = await graph<{ data: Session[]; paginatorInfo: object }>('admin', list, { search: 'Kent', first: 1 });
      expect(found.data?.training_sessions?.paginatorInfo).toMatchObject({ perPage: 1 });
      const everything = await graph<{ data: Session[] }>('admin', list, { search: 'Kent', first: 100 });
      expect(everything.data?.training_sessions?.data.find((s) => s.id === id)).toMatchObject({
        area: 'Kent',
        availableTo: 'clients',
        delegates: [{ deleted: false }],
      });
      expect(JSON.stringify(await graph('learner@harbourview.test', list, { first: 100 }))).not.toContain(id);
      expect((await graph('learner', list)).errors?.[0]?.extensions.code).toBe('forbidden');

      const changed = await graph<Session>('admin', session, { input: { id, area: 'Surrey', aim: 'To lift.' } });
      expect(changed.data?.upsertTrainingSession).toMatchObject({
        id,
        area: 'Surrey',
        aim: 'To lift.',
        cancelled: false,
        trainerId: userOf('trainer'),
      });
      const date = addDays(dayIn(server.clock.now, 'Europe/London'), next++);
      const plan = { date, startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', course_id, trainerId: userOf('trainer') };
      expect((await graph('admin', session, { input: { ...plan, endTime: '09:00' } })).errors?.[0]?.extensions.errors).toHaveProperty('endTime');
      const made = await graph<Session>('admin', session, { input: plan });
      expect(made.data?.upsertTrainingSession?.id).toBeTruthy();
      const off = { id: made.data?.upsertTrainingSession?.id, cancelled: true };
      expect((await graph('admin', session, { input: off })).errors?.[0]?.extensions.errors).toHaveProperty('cancellation_notes');
      const cancelled = await graph<Session>('admin', session, { input: { ...off, cancellation_reason_id: 'weather', cancellation_notes: 'Snow.' } });
      expect(cancelled.data?.upsertTrainingSession).toMatchObject({
        cancelled: true,
        cancellation_reason_id: 'weather',
        cancellation_notes: 'Snow.',
      });
      expect((await graph(provider, session, { input: { id, aim: 'Theirs.' } })).errors?.[0]?.extensions.code).toBe('not_found');
      expect((await graph('learner', session, { input: { id, aim: 'Mine.' } })).errors?.[0]?.extensions.code).toBe('forbidden');
    });

    const written = async (who: string) =>
      (
        await server.database.db.all<{ message: string }>(
          sql`select message from messages where recipient_id = ${userOf(who)} and by_product order by received_at, message`,
        )
      ).map((m) => m.message);

    it('are moved as by REST: booked people are notified once, and asked again whether they come', async () => {
      await period(group, null);
      const id = await planned('admin');
      await put(id, 'learner');
      await send('learner', 'POST', `/bookings/own/${(await own(id))?.id}/agreement`);
      expect((await own(id))?.answer).toMatchObject({ at: expect.any(String) });
      const before = await written('learner');
      const input = { id, date: addDays(dayIn(server.clock.now, 'Europe/London'), next++), startTime: '10:15', endTime: '12:45', venue: 'Elsewhere' };
      expect((await graph('admin', session, { input })).errors).toBeUndefined();
      expect(await own(id)).toMatchObject({ ...input, id: expect.any(String), move_asked: true, answer: { at: null } });
      const after = (await written('learner')).filter((m) => !before.includes(m));
      expect(after).toEqual([expect.stringMatching(/has changed\. It is now on .*, 10:15 to 12:45, Elsewhere/)]);
      // Repeating it changes nothing, and notifies nobody.
      expect((await graph('admin', session, { input })).errors).toBeUndefined();
      expect(await written('learner')).toHaveLength(before.length + 1);
    });

    it('are changed and cancelled, or approved with other notes, as a whole or not at all; errors name the fields of the graph', async () => {
      const refused = async (who: string, query: string, variables: object) => (await graph(who, query, variables)).errors?.[0]?.extensions;
      const id = await planned('admin');
      await put(id, 'learner');
      const rev = async () => (await register(id)).rev;
      const [was, before] = [await rev(), await written('learner')];
      const off = { id, cancelled: true, cancellation_reason_id: 'weather', cancellation_notes: 'Snow.' };
      // If one is refused, the other is unchanged.
      expect((await refused('admin', session, { input: { ...off, venue: 'Elsewhere', maxDelegates: 3, minDelegates: 9 } }))?.errors).toHaveProperty(
        'minDelegates',
      );
      expect(
        (await refused('admin', session, { input: { ...off, venue: 'Elsewhere', cancellation_notes: '', cancellation_reason_id: null } }))?.errors,
      ).toHaveProperty('cancellation_notes');
      expect((await refused('admin', session, { input: { id, trainerId: userOf('learner') } }))?.errors).toHaveProperty('trainerId');
      expect(await register(id)).toMatchObject({ rev: was, cancelled: null, venue: 'Mill Lane' });
      const date = addDays(dayIn(server.clock.now, 'Europe/London'), next++);
      expect((await graph('admin', session, { input: { ...off, date, venue: 'Elsewhere' } })).errors).toBeUndefined();
      expect(await register(id)).toMatchObject({ rev: was + 1, venue: 'Elsewhere', date, cancelled: { notes: 'Snow.' } });
      expect((await written('learner')).filter((m) => !before.includes(m))).toEqual([expect.stringMatching(/is cancelled\. Reason: .*Snow\./)]);

      // May approve requests, and change nothing else of it.
      const { db } = server.database;
      const booked = await planned(provider);
      const upsert = 'mutation ($input: BookingInput!) { upsertBooking(input: $input) { id notes confirmed } }';
      const asked = { training_session_ids: [booked], user_ids: [userOf('liam.murphy')], notes: 'Asked.' };
      expect((await refused('manager', upsert, { input: { ...asked, training_session_ids: [id] } }))?.errors).toHaveProperty('training_session_ids');
      const made = (await graph<{ id: string }>('manager', upsert, { input: asked })).data?.upsertBooking?.id;
      const decides = 10;
      await db.run(sql`insert into user_permissions (user_id, permission_id) values (${userOf('jade.robinson')}, ${decides})`);
      const jade = server.client();
      await jade.signIn('jade.robinson@willowbrook.test');
      clients.set('jade.robinson', jade);
      const state = async () =>
        (await graph<object>('admin', 'query ($id: ID!) { booking(id: $id) { notes confirmed } }', { id: made })).data?.booking;
      expect((await refused('jade.robinson', upsert, { input: { id: made, confirmed: true, notes: 'Mine.' } }))?.code).toBe('forbidden');
      expect(await state()).toEqual({ notes: 'Asked.', confirmed: false });
      expect((await graph<object>('jade.robinson', upsert, { input: { id: made, confirmed: true } })).data?.upsertBooking).toMatchObject({
        confirmed: true,
      });
      const cancel = 'mutation ($id: ID!, $why: String!) { cancelBooking(id: $id, cancellation_reason: $why) { id } }';
      expect((await refused('admin', cancel, { id: made, why: ' ' }))?.errors).toHaveProperty('cancellation_reason');
      const copy = 'mutation ($id: ID!, $to: ID!) { copyDelegates(id: $id, training_session_id: $to) { waiting { id } } }';
      expect((await refused('admin', copy, { id: await planned('admin'), to: booked }))?.errors).toHaveProperty('training_session_id');
    });

    it('are accepted, declined, deleted, restored and copied', async () => {
      await period(group, null);
      const [id, to] = [await planned('admin'), await planned('admin')];
      await put(id, 'learner', 'grace.adeyemi');
      const update = `mutation ($id: ID!, $accepted: Boolean, $declined: Boolean, $deleted: Boolean, $restored: Boolean, $reason: String) {
        updateDelegate(id: $id, accepted: $accepted, declined: $declined, deleted: $deleted, restored: $restored, reason: $reason) { id accepted declined deleted reason } }`;
      const mine = { id: (await delegate(id, 'learner'))?.id };
      const grace = { id: (await delegate(id, 'grace.adeyemi'))?.id };
      const now = async (who: string, variables: object) => (await graph<object>(who, update, variables)).data?.updateDelegate;
      expect(await now('learner', { ...mine, accepted: true })).toMatchObject({ accepted: true, deleted: false });
      expect((await graph('learner', update, { ...grace, accepted: true })).errors?.[0]?.extensions.code).toMatch(/forbidden|not_found/);
      expect((await graph(provider, update, { ...grace, accepted: true })).errors?.[0]?.extensions.code).toBe('not_found');
      expect((await graph('admin', update, { ...grace, accepted: true, deleted: true })).errors?.[0]?.extensions.code).toBe('invalid_input');
      expect(await now('trainer', { ...grace, accepted: true })).toMatchObject({ accepted: true });
      expect((await graph('learner', update, { ...mine, declined: true })).errors?.[0]?.extensions.code).toBe('invalid_input');
      expect(await now('learner', { ...mine, declined: true, reason: 'Ill.' })).toMatchObject({ declined: true, deleted: true, reason: 'Ill.' });
      expect(await now('admin', { ...mine, restored: true })).toMatchObject({ accepted: false, declined: false, deleted: false });
      expect(await now('admin', { ...grace, deleted: true })).toMatchObject({ declined: false, deleted: true });
      const copy =
        'mutation ($id: ID!, $to: ID!) { copyDelegates(id: $id, training_session_id: $to) { session_id booked { name } waiting { name } already { name } } }';
      expect((await graph<object>('admin', copy, { id, to })).data?.copyDelegates).toMatchObject({
        session_id: to,
        booked: [{}],
        waiting: [],
        already: [],
      });
      expect((await graph('learner', copy, { id, to })).errors?.[0]?.extensions.code).toBe('forbidden');
      expect((await graph('admin', copy, { id: 'nonsense', to })).errors?.[0]?.extensions.code).toBe('invalid_input');
      await period(group, 0);
    });

    it('are completed once everybody is noted, and marked as incomplete', async () => {
      const id = await planned('admin');
      await put(id, 'learner');
      const date = dayIn(server.clock.now, 'Europe/London');
      await server.database.db.run(sql`update training_sessions set date = ${date}::date where id = ${id}`);
      const complete = `mutation ($id: ID!, $incomplete: Boolean, $reason: String, $release: Boolean) {
        completeTrainingSession(id: $id, incomplete: $incomplete, reason: $reason, release_certificates: $release) { completed incomplete release_certificates } }`;
      expect((await graph('trainer', complete, { id })).errors?.[0]?.extensions.errors).toHaveProperty('id');
      const args = {
        delegate_id: (await delegate(id, 'learner'))?.id,
        presence: 'present',
        arrived: null,
        left: null,
        outcome: null,
        note: '',
        instead_of: null,
      };
      const change = { id: crypto.randomUUID(), version: 1, at: server.clock.now.toISOString(), command: 'register.mark', args };
      await send('trainer', 'PATCH', `/training-sessions/${id}/register`, { changes: [change] });
      expect((await graph<object>('trainer', complete, { id })).data?.completeTrainingSession).toMatchObject({ completed: true, incomplete: false });
      expect((await register(id)).delegates).toMatchObject([{ recorded: true }]);
      expect((await graph('admin', complete, { id, incomplete: true })).errors?.[0]?.extensions.errors).toHaveProperty('reason');
      expect(
        (await graph<object>('admin', complete, { id, incomplete: true, reason: 'A name is missing.' })).data?.completeTrainingSession,
      ).toMatchObject({
        ...{ completed: false, incomplete: true, release_certificates: true },
      });
      expect((await graph('learner', complete, { id })).errors?.[0]?.extensions.code).toBe('forbidden');
    });

    it('are booked, approved, changed and cancelled; a client reads its own people only', async () => {
      const id = await planned(provider);
      const upsert = `mutation ($input: BookingInput!) { upsertBooking(input: $input) { id reference notes confirmed clientId trainingProviderId cancelled_at
        sessions { places { user { name } state } } } }`;
      type Made = { id: string; reference: string };
      const input = { training_session_ids: [id], user_ids: [userOf('grace.adeyemi')], notes: 'Step-free.' };
      expect((await graph('admin', upsert, { input: { ...input, trainingProviderId: group } })).errors?.[0]?.extensions.errors).toHaveProperty(
        'trainingProviderId',
      );
      const made = (await graph<Made>('admin', upsert, { input: { ...input, trainingProviderId: brightpath } })).data?.upsertBooking;
      expect(made).toMatchObject({ notes: 'Step-free.', confirmed: true, clientId: group, trainingProviderId: brightpath, cancelled_at: null });
      const asked = (await graph<Made>('manager', upsert, { input: { ...input, user_ids: [userOf('liam.murphy')] } })).data?.upsertBooking;
      expect(asked).toMatchObject({ confirmed: false });
      expect((await graph('manager', upsert, { input: { id: asked?.id, confirmed: true } })).errors?.[0]?.extensions.code).toBe('forbidden');
      expect((await graph<object>('admin', upsert, { input: { id: asked?.id, confirmed: true, notes: 'Late.' } })).data?.upsertBooking).toMatchObject(
        {
          ...{ confirmed: true, notes: 'Late.', sessions: [{ places: [{ user: { name: 'Liam Murphy' }, state: 'booked' }] }] },
        },
      );
      // Somebody of another organisation is on the same list.
      await server.database.db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
        select gen_random_uuid(), ${id}, u.id, u.name, ${userOf(provider)}, now() from users u where u.id = ${userOf('learner@harbourview.test')}`);
      const other =
        (await server.database.db.one<{ name: string }>(sql`select name from users where id = ${userOf('learner@harbourview.test')}`))?.name ?? '';
      expect(other).not.toBe('');
      const one = 'query ($id: ID!) { booking(id: $id) { reference sessions { free places { user { name } } } history { words } } }';
      const read = await graph<object>('admin', one, { id: made?.id });
      expect(read.data?.booking).toMatchObject({ reference: made?.reference });
      const list =
        '{ bookings(first: 100) { data { id sessions { places { user { name } } } } paginatorInfo { total } } training_sessions(first: 100) { data { id delegates { name } } } }';
      const all = JSON.stringify([read, await graph('admin', list)]);
      expect(all).toContain(made?.id);
      expect(all).not.toContain(other);
      expect(JSON.stringify(await graph(provider, list))).toContain(other);
      expect((await graph('learner@harbourview.test', one, { id: made?.id })).errors?.[0]?.extensions.code).toBe('not_found');
      const cancel = 'mutation ($id: ID!, $why: String!) { cancelBooking(id: $id, cancellation_reason: $why) { cancelled_at cancellation_reason } }';
      expect((await graph('admin', cancel, { id: made?.id, why: ' ' })).errors?.[0]?.extensions.code).toBe('invalid_input');
      expect((await graph<object>('admin', cancel, { id: made?.id, why: 'Not needed.' })).data?.cancelBooking).toMatchObject({
        ...{ cancelled_at: expect.any(String), cancellation_reason: 'Not needed.' },
      });
    });
  });
});

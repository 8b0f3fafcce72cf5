import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Booking, BookingRow, CalendarMonth, CalendarSession, Eligibility } from '#contract/entities/booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { protocol } from '#contract/protocol.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; message?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const brightpath = demoId('entity:brightpath');
const group = demoId('entity:group');
const course = demoId('course:Moving and assisting people');

describe('bookings', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = async (who: string): Promise<TestClient> => {
    const known = clients.get(who);
    if (known) return known;
    const client = server.client();
    await client.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
    clients.set(who, client);
    return client;
  };
  const send = async <T>(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    // Messages need distinct times.
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    return (await as(who)).json<Answer<T>>(method, path, body);
  };
  const provider = 'admin@brightpath.test';
  const day = (days: number) => addDays(dayIn(server.clock.now, 'Europe/London'), days);

  const planned = async (maxDelegates: number | null, days = 7, available = 'clients', who = provider): Promise<string> => {
    const plan = {
      date: day(days),
      startTime: '09:30',
      endTime: '12:30',
      venue: 'Mill Lane',
      room: '',
      aim: '',
      grading_method: 'attendance',
      maxDelegates,
    };
    const trainer_id = who === provider ? userOf(provider) : userOf('trainer');
    // A trainer gives one session at a time: earlier ones go to another trainer.
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${trainer_id}`);
    const { id } = (await send<Register>(who, 'POST', '/training-sessions', { ...plan, course_id: course, trainer_id })).body.data;
    await server.database.db.run(sql`update training_sessions set available_to = ${available} where id = ${id}`);
    return id;
  };
  const book = (who: string, session_ids: string[], people: string[], more: object = {}) =>
    send<Booking>(who, 'POST', '/bookings', { session_ids, user_ids: people.map(userOf), notes: '', waiting: false, ...more });
  const listed = async (id: string) =>
    (
      await server.database.db.all<{ user_id: string }>(
        sql`select user_id from session_delegates where session_id = ${id} and removed_at is null order by added_at, user_id`,
      )
    ).map((d) => d.user_id);
  const messagesTo = async (who: string) =>
    (
      await server.database.db.all<{ message: string }>(
        sql`select message from messages where recipient_id = ${userOf(who)} and by_product order by sent_at`,
      )
    ).map((m) => m.message);
  const settings = (values: { multiple?: boolean; days?: boolean; cutoff?: number; prefix?: string }) =>
    server.database.db.run(sql`insert into training_company_settings (entity_id, allow_multiple_sessions_per_booking, allow_multiple_days_per_booking, delegate_removal_cutoff_hours, bookings_organiser_reference_prefix, updated_at, updated_by)
      values (${brightpath}, ${values.multiple ?? true}, ${values.days ?? true}, ${values.cutoff ?? 0}, ${values.prefix ?? ''}, now(), ${userOf(provider)})
      on conflict (entity_id) do update set allow_multiple_sessions_per_booking = excluded.allow_multiple_sessions_per_booking,
        allow_multiple_days_per_booking = excluded.allow_multiple_days_per_booking, delegate_removal_cutoff_hours = excluded.delegate_removal_cutoff_hours,
        bookings_organiser_reference_prefix = excluded.bookings_organiser_reference_prefix, delegate_auto_accept_period = 0`);

  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    await db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
      values (gen_random_uuid(), ${brightpath}, ${group}, ${userOf(provider)}, now()) on conflict do nothing`);
    await db.run(
      sql`update entities set can_view_external_bookings = true, can_manage_bookings = true where id = any(${[brightpath, group]}::uuid[])`,
    );
    await settings({ prefix: 'BP-' });
    for (const who of ['admin', 'manager', 'learner', 'learner@harbourview.test', provider]) await as(who);
  });
  afterAll(() => server.close());

  it('put the people of a client on the session of a provider at once, with a number, and tell them and the provider', async () => {
    const id = await planned(12);
    const { status, body } = await book('admin', [id], ['grace.adeyemi', 'liam.murphy'], { notes: 'Step-free, please.' });
    expect([status, body.data.state, body.data.notes]).toEqual([201, 'confirmed', 'Step-free, please.']);
    expect(body.data.reference).toMatch(/^BP-\d{5}$/);
    expect(body.data.sessions[0]?.places.map((p) => [p.user.name, p.state])).toEqual([
      ['Grace Adeyemi', 'booked'],
      ['Liam Murphy', 'booked'],
    ]);
    expect(body.data.history.map((h) => h.words)).toEqual(['Booked Grace Adeyemi, Liam Murphy']);
    expect((await listed(id)).toSorted()).toEqual([userOf('grace.adeyemi'), userOf('liam.murphy')].toSorted());
    expect((await messagesTo('grace.adeyemi')).at(-1)).toMatch(/^You are booked on “Moving and assisting people” on /);
    expect((await messagesTo(provider)).at(-1)).toMatch(new RegExp(`booked Grace Adeyemi, Liam Murphy on .* \\(${body.data.reference}\\)\\.$`));
    const next = await book('admin', [await planned(12)], ['grace.adeyemi']);
    expect(Number(next.body.data.reference.slice(3))).toBe(Number(body.data.reference.slice(3)) + 1);
    // The provider sees it, and who is booked; another organisation sees nothing.
    expect((await send<Booking>(provider, 'GET', `/bookings/${body.data.id}`)).body.data.sessions[0]?.places[0]?.user.name).toBe('Grace Adeyemi');
    expect((await send<BookingRow[]>(provider, 'GET', `/bookings?search=${body.data.reference}`)).body.data).toMatchObject([
      { id: body.data.id, people: 2, waiting: 0, courses: ['Moving and assisting people'], client: { id: group } },
    ]);
    expect((await send('learner', 'GET', `/bookings/${body.data.id}`)).status).toBe(404);
  });

  it('are made of what the booker sees only: sessions offered to them, and their own people', async () => {
    const [own, offered] = [await planned(12, 7, 'own'), await planned(12)];
    expect((await book('admin', [own], ['grace.adeyemi'])).body.errors).toEqual({ session_ids: ['Choose sessions that you can book.'] });
    expect((await book('admin', [offered], ['learner@harbourview.test'])).body.errors).toEqual({ user_ids: ['Choose people that you can see.'] });
    expect((await book(provider, [offered], ['grace.adeyemi'])).body.errors).toEqual({ user_ids: ['Choose people that you can see.'] });
    expect((await book('admin', [offered], [])).body.errors).toHaveProperty('user_ids');
    const over = await planned(12);
    await server.database.db.run(sql`update training_sessions set date = ${day(-1)} where id = ${over}`);
    expect((await book('admin', [over], ['grace.adeyemi'])).body.errors?.session_ids?.[0]).toMatch(/has begun already\.$/);
    await server.database.db.run(sql`update training_clients set ended_at = now() where provider_id = ${brightpath}`);
    expect((await book('admin', [offered], ['grace.adeyemi'])).body.errors).toHaveProperty('session_ids');
    await server.database.db.run(sql`update training_clients set ended_at = null where provider_id = ${brightpath}`);
    // In the calendar a client sees the plan and its own people; of other sessions nothing.
    await book('admin', [offered], ['grace.adeyemi']);
    const calendar = async (who: string) =>
      (await send<CalendarSession[]>(who, 'GET', `/bookings/calendar?from=${day(0)}&until=${day(30)}`)).body.data;
    expect((await calendar('admin')).find((s) => s.id === offered)).toMatchObject({ taken: 1, free: 11, own: 1, register: false, open: true });
    expect((await calendar('admin')).some((s) => s.id === own)).toBe(false);
    expect((await calendar(provider)).find((s) => s.id === own)).toMatchObject({ register: true, own: 0 });
    expect((await send('learner@harbourview.test', 'GET', `/bookings/calendar?from=${day(0)}&until=${day(30)}`)).status).toBe(403);
  });

  it('stand in a month day by day: how many there are, the first of them, and what can be chosen of all', async () => {
    for (const [max, start] of [
      [12, '11:00'],
      [11, '08:00'],
      [10, '10:00'],
    ] as const) {
      const id = await planned(max, 21);
      await server.database.db.run(sql`update training_sessions set start_time = ${start} where id = ${id}`);
    }
    const period = `from=${day(0)}&until=${day(40)}`;
    const month = async (who: string, more = '') => (await send<CalendarMonth>(who, 'GET', `/bookings/calendar/month?${period}${more}`)).body.data;
    for (const who of ['admin', provider]) {
      const all = (await send<CalendarSession[]>(who, 'GET', `/bookings/calendar?${period}`)).body.data;
      const byDay = [...Map.groupBy(all, (s) => s.date)].map(([date, of]) => ({ date, total: of.length, sessions: of.slice(0, 2) }));
      const answered = await month(who, '&per_day=2');
      expect(answered.days).toEqual(byDay);
      expect(byDay.find(({ date }) => date === day(21))?.total).toBeGreaterThanOrEqual(3);
      const names = (of: (s: CalendarSession) => string) => [...new Set(all.map(of))].filter(Boolean).toSorted();
      expect(answered.courses.map(({ id }) => id).toSorted()).toEqual(names((s) => s.course.id));
      expect(answered.trainers.map(({ id }) => id).toSorted()).toEqual(names((s) => s.trainer.id));
      expect(answered.providers.map(({ id }) => id).toSorted()).toEqual(names((s) => s.provider.id));
      expect(answered.venues.toSorted()).toEqual(names((s) => s.venue));
      // A filter hides days, but not the other choices.
      const [course, venue] = [all[0]?.course.id as string, all.at(-1)?.venue as string];
      const some = await month(who, `&course=${course}`);
      expect(some.days.reduce((sum, { total }) => sum + total, 0)).toBe(all.filter((s) => s.course.id === course).length);
      expect(some.courses).toEqual(answered.courses);
      const there = await month(who, `&venue=${encodeURIComponent(venue)}`);
      expect(there.days.reduce((sum, { total }) => sum + total, 0)).toBe(all.filter((s) => s.venue === venue).length);
    }
    // A chosen filter keeps its name when no day matches; people who see no session of it do not learn the name.
    const all = (await send<CalendarSession[]>('admin', 'GET', `/bookings/calendar?${period}`)).body.data;
    const { course, trainer, provider: runs } = all.find((s) => s.provider.id === demoId('entity:brightpath')) as CalendarSession;
    const early = `from=2021-01-01&until=2021-01-01&course=${course.id}&trainer=${trainer.id}&provider=${runs.id}`;
    const named = async (who: string) => (await send<CalendarMonth>(who, 'GET', `/bookings/calendar/month?${early}`)).body.data;
    expect(await named('admin')).toMatchObject({ days: [], courses: [], chosen: [course, trainer, { id: runs.id, name: runs.name }] });
    expect((await month('admin')).chosen).toEqual([]);
    await server.database.db.run(sql`update training_clients set ended_at = now() where provider_id = ${runs.id}`);
    expect((await named('admin')).chosen.map(({ id }) => id)).not.toContain(trainer.id);
    await server.database.db.run(sql`update training_clients set ended_at = null where provider_id = ${runs.id}`);
    expect((await send('admin', 'GET', `/bookings/calendar/month?from=${day(1)}&until=${day(0)}`)).body.errors).toHaveProperty('until');
    expect((await send('admin', 'GET', `/bookings/calendar/month?${period}&per_day=0`)).body.errors).toHaveProperty('per_day');
    expect((await send('learner@harbourview.test', 'GET', `/bookings/calendar/month?${period}`)).status).toBe(403);
  });

  it('never take more places than there are: people without one can wait, and move up with the booking', async () => {
    const id = await planned(1);
    const refused = await book('admin', [id], ['grace.adeyemi', 'liam.murphy']);
    expect(refused.body.errors?.waiting?.[0]).toMatch(/: 1 place is left for 2 people\./);
    expect(await listed(id)).toEqual([]);
    const { data } = (await book('admin', [id], ['grace.adeyemi', 'liam.murphy'], { waiting: true })).body;
    expect(data.sessions[0]?.places.map((p) => p.state)).toEqual(['booked', 'waiting']);
    expect((await messagesTo('liam.murphy')).at(-1)).toMatch(/is full\. You are on its waiting list/);
    expect((await book('admin', [id], ['liam.murphy'], { waiting: true })).body.errors?.user_ids?.[0]).toMatch(/^Liam Murphy: on “/);
    const delegate = data.sessions[0]?.places[0]?.delegate_id;
    await send(provider, 'DELETE', `/training-sessions/${id}/delegates/${delegate}`);
    const after = (await send<Booking>('admin', 'GET', `/bookings/${data.id}`)).body.data;
    // They are asked to accept it in time.
    expect(after.sessions[0]?.places.map((p) => p.state)).toEqual(['removed', 'asked']);
  });

  it('are made once by one request, which is answered the same when it comes again and somebody has left meanwhile', async () => {
    const session = await planned(1);
    const body = { session_ids: [session], user_ids: [userOf('grace.adeyemi')], notes: '', waiting: false };
    const key = { [protocol.idempotencyHeader]: randomUUID() };
    const ask = async (of: object = body) => (await as('admin')).json<Answer<Booking>>('POST', '/bookings', of, key);
    const mails = async () => (await server.database.db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail`))?.n ?? 0;
    const before = await mails();
    const made = await ask();
    expect(made.status).toBe(201);
    const mailed = (await mails()) - before;
    expect(mailed).toBeGreaterThan(0);
    expect((await ask()).body.data.id).toBe(made.body.data.id);
    await server.database.db.run(sql`update users set disabled_at = now() where id = ${userOf('grace.adeyemi')}`);
    const again = await ask();
    await server.database.db.run(sql`update users set disabled_at = null where id = ${userOf('grace.adeyemi')}`);
    expect([again.status, again.body.data.id, again.body.data.reference]).toEqual([201, made.body.data.id, made.body.data.reference]);
    expect((await mails()) - before).toBe(mailed);
    expect((await ask({ ...body, user_ids: [userOf('liam.murphy')] })).body.code).toBe('idempotency_mismatch');
    expect(await listed(session)).toEqual([userOf('grace.adeyemi')]);
  });
  it('share out the last places exactly, however many book at once: the others wait or are refused', async () => {
    const id = await planned(7);
    const people = (
      await server.database.db.all<{ id: string }>(
        sql`select id from users where primary_entity_id = any(${[demoId('entity:home'), demoId('entity:branch')]}::uuid[]) and disabled_at is null order by id limit 50`,
      )
    ).map((u) => u.id);
    expect(people).toHaveLength(50);
    const admin = await as('admin');
    const answers = await Promise.all(
      people.map((person, n) =>
        admin.json<Answer<Booking>>('POST', '/bookings', { session_ids: [id], user_ids: [person], notes: '', waiting: n % 2 === 0 }),
      ),
    );
    const state = (answer: (typeof answers)[number]) =>
      answer.body.data?.sessions[0]?.places[0]?.state ?? `refused: ${Object.keys(answer.body.errors ?? {})[0]}`;
    const counted = Map.groupBy(answers, state);
    expect([await listed(id), counted.get('booked')?.length]).toEqual([expect.objectContaining({ length: 7 }), 7]);
    const waiting = await server.database.db.all(sql`select 1 from session_waiting where session_id = ${id}`);
    expect(waiting).toHaveLength(counted.get('waiting')?.length ?? 0);
    expect([...counted.keys()].toSorted()).toEqual(['booked', 'refused: waiting', 'waiting']);
    expect(new Set(answers.flatMap((a) => a.body.data?.reference ?? [])).size).toBe(7 + waiting.length);
  });

  it('are requests where somebody may only ask: they hold no place until they are approved', async () => {
    const id = await planned(1);
    const asked = (await book('manager', [id], ['grace.adeyemi'])).body.data;
    expect([asked.state, asked.confirmed, asked.sessions[0]?.places[0]?.state]).toEqual(['requested', false, 'requested']);
    expect(await listed(id)).toEqual([]);
    expect((await messagesTo('admin')).at(-1)).toMatch(/^I ask for a booking \(BP-\d{5}\): Grace Adeyemi on “Moving/);
    // The provider does not see it, and the person who asked does not decide.
    expect((await send(provider, 'GET', `/bookings/${asked.id}`)).status).toBe(404);
    expect((await send('manager', 'POST', `/bookings/${asked.id}/approval`, { waiting: false })).status).toBe(403);
    const approved = (await send<Booking>('admin', 'POST', `/bookings/${asked.id}/approval`, { waiting: false })).body.data;
    expect([approved.state, approved.sessions[0]?.places[0]?.state]).toEqual(['confirmed', 'booked']);
    expect((await messagesTo('manager')).at(-1)).toBe(`Your booking ${asked.reference} is approved.`);
    expect((await send<Booking>('admin', 'POST', `/bookings/${asked.id}/approval`, { waiting: false })).body.code).toBe('already_decided');
    // The place is taken when the next request comes; that is declined with a reason.
    const second = (await book('manager', [id], ['liam.murphy'])).body.data;
    expect((await send<Booking>('admin', 'POST', `/bookings/${second.id}/approval`, { waiting: false })).body.errors).toHaveProperty('waiting');
    expect((await send<Booking>('admin', 'POST', `/bookings/${second.id}/refusal`, { reason: ' ' })).body.errors).toHaveProperty('reason');
    const declined = (await send<Booking>('admin', 'POST', `/bookings/${second.id}/refusal`, { reason: 'Not this month.' })).body.data;
    expect([declined.state, declined.cancellation_reason]).toEqual(['declined', 'Not this month.']);
    expect((await messagesTo('manager')).at(-1)).toMatch(/is declined\. Reason: Not this month\.$/);
    expect(await listed(id)).toEqual([userOf('grace.adeyemi')]);
  });

  it('are cancelled with a reason until the provider’s cut-off, and by the provider after it; the place goes to who waits', async () => {
    const id = await planned(1, 3);
    const first = (await book('admin', [id], ['grace.adeyemi'])).body.data;
    const second = (await book('admin', [id], ['liam.murphy'], { waiting: true })).body.data;
    await settings({ cutoff: 5 * 24, prefix: 'BP-' });
    const path = `/bookings/${first.id}/cancellation`;
    expect((await send<Booking>('admin', 'GET', `/bookings/${first.id}`)).body.data.may.cancel).toBe(false);
    const late = await send<Booking>('admin', 'POST', path, { reason: 'No need.' });
    expect([late.status, late.body.message]).toEqual([403, 'It is too late to cancel this yourself. Ask Brightpath Training.']);
    expect((await send<Booking>('admin', 'POST', path, { reason: '' })).body.errors).toHaveProperty('reason');
    const cancelled = await send<Booking>(provider, 'POST', path, { reason: 'The room is closed.' });
    expect([cancelled.status, cancelled.body.data.state, cancelled.body.data.cancellation_reason]).toEqual([201, 'cancelled', 'The room is closed.']);
    expect(await listed(id)).toEqual([userOf('liam.murphy')]);
    expect((await send<Booking>('admin', 'GET', `/bookings/${second.id}`)).body.data.sessions[0]?.places[0]?.state).toBe('asked');
    expect((await messagesTo('grace.adeyemi')).at(-1)).toMatch(/^You are no longer booked on /);
    expect(await messagesTo('admin')).toContainEqual(expect.stringMatching(/is cancelled\. Reason: The room is closed\.$/));
    expect((await send<Booking>('admin', 'PATCH', `/bookings/${first.id}`, { notes: 'x' })).body.code).toBe('already_decided');
    await settings({ prefix: 'BP-' });
    const changed = (await send<Booking>('admin', 'PATCH', `/bookings/${second.id}`, { notes: 'Needs a parking space.' })).body.data;
    expect([changed.notes, changed.history[0]?.words]).toEqual(['Needs a parking space.', 'Notes: Needs a parking space.']);
    expect((await send<Booking>('admin', 'POST', `/bookings/${second.id}/cancellation`, { reason: 'Ill.' })).body.data.state).toBe('cancelled');
    expect(await listed(id)).toEqual([]);
  });

  it('hold several sessions and days where the provider takes that', async () => {
    const [one, two] = [await planned(5, 8), await planned(5, 9)];
    await settings({ multiple: false });
    expect((await book('admin', [one, two], ['grace.adeyemi'])).body.errors?.session_ids?.[0]).toMatch(/^Brightpath Training takes one session/);
    await settings({ days: false });
    expect((await book('admin', [one, two], ['grace.adeyemi'])).body.errors?.session_ids?.[0]).toMatch(/sessions of one day/);
    await settings({});
    const { data } = (await book('admin', [two, one], ['grace.adeyemi'])).body;
    expect(data.sessions.map((s) => s.id)).toEqual([one, two]);
    expect(data.reference).toMatch(/^BK-/);
    const own = await planned(5, 8, 'own', 'admin');
    expect((await book('admin', [one, own], ['liam.murphy'])).body.errors?.session_ids?.[0]).toMatch(/^Choose sessions of one provider/);
  });

  it('lose, regain and swap single people: the place of who is replaced goes to nobody who waits', async () => {
    const id = await planned(1, 6);
    const { data } = (await book('admin', [id], ['grace.adeyemi'])).body;
    const waits = (await book('admin', [id], ['liam.murphy'], { waiting: true })).body.data;
    const place = data.sessions[0]?.places[0]?.id;
    const change = (body: object, at = place, who = 'admin') => send<Booking>(who, 'PATCH', `/bookings/${data.id}/places/${at}`, body);
    const states = (booking: Booking) => booking.sessions[0]?.places.map((p) => [p.user.name, p.state]);
    const swapped = (await change({ action: 'replace', user_id: userOf('sophie.turner') })).body.data;
    expect(states(swapped)).toEqual([
      ['Grace Adeyemi', 'removed'],
      ['Sophie Turner', 'booked'],
    ]);
    expect([swapped.history[0]?.words, await listed(id)]).toEqual(['Sophie Turner instead of Grace Adeyemi', [userOf('sophie.turner')]]);
    expect((await change({ action: 'replace', user_id: userOf('liam.murphy') }, swapped.sessions[0]?.places[1]?.id)).body.errors).toHaveProperty(
      'user_id',
    );
    expect((await change({ action: 'remove', reason: 'x' })).body.code).toBe('already_decided');
    // Removing somebody makes room for the next on the waiting list; booked again, they wait themselves.
    expect((await change({ action: 'remove', reason: '' }, swapped.sessions[0]?.places[1]?.id)).status).toBe(422);
    await change({ action: 'remove', reason: 'On leave.' }, swapped.sessions[0]?.places[1]?.id);
    expect(await listed(id)).toEqual([userOf('liam.murphy')]);
    const again = (await change({ action: 'restore' })).body.data;
    expect(states(again)).toEqual([
      ['Grace Adeyemi', 'waiting'],
      ['Sophie Turner', 'removed'],
    ]);
    expect((await send(provider, 'PATCH', `/bookings/${waits.id}/places/${place}`, { action: 'restore' })).status).toBe(404);
    await settings({ cutoff: 20 * 24, prefix: 'BP-' });
    expect((await change({ action: 'remove', reason: 'Ill.' })).status).toBe(403);
    expect((await change({ action: 'remove', reason: 'Ill.' }, place, provider)).status).toBe(200);
    await settings({ prefix: 'BP-' });
  });

  it('bring what the provider’s register says into the records of the client’s people, and take it out again', async () => {
    const id = await planned(5, 1);
    const { db } = server.database;
    const { data } = (await book('admin', [id], ['nomvula.dlamini'])).body;
    await db.run(sql`update training_sessions set date = ${day(0)} where id = ${id}`);
    const delegate_id = data.sessions[0]?.places[0]?.delegate_id as string;
    const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command, args });
    const mark = change('register.mark', { delegate_id, presence: 'present', arrived: null, left: null, outcome: null, note: '', instead_of: null });
    const done = change('register.complete', { marks: [mark.id], note: '', method: 'signed_in', drawing: null });
    const sent = await send<Register>(provider, 'PATCH', `/training-sessions/${id}/register`, { changes: [mark, done] });
    expect([sent.status, sent.body.code]).toEqual([200, undefined]);
    const recorded = () =>
      db.all(sql`select status from current_results where user_id = ${userOf('nomvula.dlamini')} and delegate_id = ${delegate_id}`);
    expect(await recorded()).toHaveLength(1);
    // Repeated by a device that got no answer, it is there once.
    await send(provider, 'PATCH', `/training-sessions/${id}/register`, { changes: [mark, done] });
    expect(await recorded()).toHaveLength(1);
    const absent = change('register.mark', {
      delegate_id,
      presence: 'absent',
      arrived: null,
      left: null,
      outcome: null,
      note: '',
      instead_of: mark.id,
    });
    await send(provider, 'PATCH', `/training-sessions/${id}/register`, { changes: [absent] });
    expect(await recorded()).toHaveLength(0);
  });

  it('say beforehand what speaks against somebody', async () => {
    const [here, other] = [await planned(5, 11), await planned(5, 11)];
    await book('admin', [other], ['grace.adeyemi']);
    await book('admin', [here], ['liam.murphy']);
    await server.database.db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
      values (gen_random_uuid(), ${userOf('grace.adeyemi')}, ${course}, 'historical', now() - interval '1 hour', ${`${day(300)}T12:00:00Z`})`);
    const ids = ['grace.adeyemi', 'liam.murphy'].map(userOf).join(',');
    const { data } = (await send<Eligibility[]>('admin', 'GET', `/bookings/eligibility?sessions=${here}&people=${ids}`)).body;
    const of = (who: string) => data.find((e) => e.user.id === userOf(who));
    expect(of('grace.adeyemi')?.refused).toBeNull();
    expect(of('grace.adeyemi')?.warnings).toEqual([
      expect.stringMatching(/^In date until \d\d\/\d\d\/\d{4}\.$/),
      expect.stringMatching(/^On “Moving .*09:30 to 12:30\.$/),
    ]);
    expect(of('liam.murphy')?.refused).toBe('On this session already, or waiting for it.');
    // What ends today's proof counts on the day of the session, not today: its last day is good.
    const inDateOn = async (expires: string) => {
      await server.database.db.run(sql`update results set expires_at = ${expires}
        where user_id = ${userOf('grace.adeyemi')} and course_id = ${course}`);
      const asked = await send<Eligibility[]>('admin', 'GET', `/bookings/eligibility?sessions=${here}&people=${userOf('grace.adeyemi')}`);
      return asked.body.data[0]?.warnings.filter((w) => w.startsWith('In date until')).length;
    };
    expect([await inDateOn(`${day(10)}T20:00:00Z`), await inDateOn(`${day(11)}T08:00:00Z`)]).toEqual([0, 1]);
    // Several sessions are checked one by one, and for overlaps.
    const [again, next] = [await planned(5, 11), await planned(5, 12)];
    const both = (
      await send<Eligibility[]>('admin', 'GET', `/bookings/eligibility?sessions=${next},${here},${again}&people=${userOf('ewa.kowalczyk')}`)
    ).body.data;
    const atOnce = (e: Eligibility) =>
      e.warnings.filter((w) => /^“Moving .+”, which you chose as well, is at the same time: 09:30 to 12:30\.$/.test(w));
    expect(both.map((e) => [e.session.id, atOnce(e).length])).toEqual([...[here, again].toSorted().map((id) => [id, 1]), [next, 0]]);
    // People on leave that day, including the last day.
    const onLeave = async (from: string, until: string | null) => {
      await server.database.db.run(sql`update users set leave_from = ${from}, leave_until = ${until} where id = ${userOf('ewa.kowalczyk')}`);
      const asked = await send<Eligibility[]>('admin', 'GET', `/bookings/eligibility?sessions=${here}&people=${userOf('ewa.kowalczyk')}`);
      return asked.body.data[0]?.warnings.filter((w) => w.startsWith('On leave')) ?? [];
    };
    expect(await onLeave(day(9), day(11))).toEqual([expect.stringMatching(/^On leave from \S+ until \S+\.$/)]);
    expect(await onLeave(day(9), null)).toEqual([expect.stringMatching(/^On leave from \S+, with no last day named\.$/)]);
    expect([await onLeave(day(9), day(10)), await onLeave(day(12), null)]).toEqual([[], []]);
    const elsewhere = demoId('session:children');
    const asked = `/bookings/eligibility?sessions=${here},${elsewhere}&people=${ids}`;
    expect((await send(provider, 'GET', asked)).status).toBe(404);
  });

  it('are seen as far as the organisation lets its people see them', async () => {
    const { data } = (await book('admin', [await planned(5)], ['sophie.turner'])).body;
    const { db } = server.database;
    const seen = async (who: string) => (await send<Booking>(who, 'GET', `/bookings/${data.id}`)).status;
    // The trainer of a session sees who is booked on it, whatever the organisation shows its people.
    await db.run(sql`update users set is_trainer = false where email = ${provider}`);
    await db.run(sql`update entities set can_view_external_bookings = false where id = ${brightpath}`);
    expect([await seen(provider), await seen('admin')]).toEqual([404, 200]);
    await db.run(sql`update entities set can_view_external_bookings = true, can_manage_bookings = false where id = ${brightpath}`);
    expect((await send(provider, 'POST', `/bookings/${data.id}/cancellation`, { reason: 'x' })).status).toBe(403);
    await db.run(sql`update entities set can_manage_bookings = true where id = ${brightpath}`);
  });
});

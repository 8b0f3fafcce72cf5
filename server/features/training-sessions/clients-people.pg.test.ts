import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Booking } from '#contract/entities/booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { readConfig } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { sendNotices } from '#server/features/training-sessions/session-notices.service.ts';
import { lapsePlaces } from '#server/features/training-sessions/waiting-list.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const brightpath = demoId('entity:brightpath');
const group = demoId('entity:group');
const course = demoId('course:Moving and assisting people');
const provider = 'admin@brightpath.test';
const [booker, grace, liam, sophie] = ['admin', 'grace.adeyemi', 'liam.murphy', 'sophie.turner'] as const;

describe('what a training company does to a session reaches the people of its client', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const send = async <T>(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    // Messages need distinct times.
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    const { status, body: answer } = await (clients.get(who) as TestClient).json<Answer<T>>(method, path, body);
    return { status, ...answer };
  };
  const day = (days: number) => addDays(dayIn(server.clock.now, 'Europe/London'), days);
  const planned = async (days: number, maxDelegates: number | null = null): Promise<string> => {
    // A trainer gives one session at a time: earlier ones go to another trainer.
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${userOf(provider)}`);
    const plan = { startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', grading_method: 'attendance' };
    const more = { course_id: course, trainer_id: userOf(provider), availableTo: 'clients', date: day(days), maxDelegates };
    const { status, data } = await send<Register>(provider, 'POST', '/training-sessions', { ...plan, ...more });
    expect(status).toBe(201);
    return data.id;
  };
  const booked = async (id: string, people: readonly string[], more: object = {}): Promise<Booking> => {
    const body = { session_ids: [id], user_ids: people.map(userOf), notes: '', waiting: false, ...more };
    const { status, data } = await send<Booking>(booker, 'POST', '/bookings', body);
    expect(status).toBe(201);
    return data;
  };
  /** What was written to somebody since, and to how many of them an e-mail goes. */
  const since = async (work: () => Promise<{ status: number; data?: unknown }>, status = 200) => {
    const { db } = server.database;
    const before = (await db.one<{ at: string }>(sql`select coalesce(max(received_at), now()) as at from messages`))?.at as string;
    const mails = (await db.all<{ id: string }>(sql`select id from outgoing_mail`)).map((m) => m.id);
    const answer = await work();
    expect(answer.status).toBe(status);
    const written = await db.all<{ to: string; message: string }>(
      sql`select recipient_id as to, message from messages where received_at > ${before} and by_product order by received_at, message desc`,
    );
    const mailed = await db.all<{ recipient: string }>(sql`select recipient from outgoing_mail where not (id = any(${mails}::uuid[]))`);
    return {
      to: (who: string) => written.filter((m) => m.to === userOf(who)).map((m) => m.message),
      mailed: mailed.map((m) => m.recipient),
      people: new Set(written.map((m) => m.to)).size,
      told: (answer.data as { told?: number } | null)?.told,
    };
  };
  const delegate = async (id: string, who: string) => {
    const { data } = await send<Register>(provider, 'GET', `/training-sessions/${id}`);
    return data.delegates.find((d) => d.user?.id === userOf(who));
  };
  /** A finished register on which these people were present. */
  const held = async (id: string, people: readonly string[]) => {
    const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command, args });
    const mark = { presence: 'present', arrived: null, left: null, outcome: null, note: '', instead_of: null };
    const marks: ReturnType<typeof change>[] = [];
    for (const who of people) marks.push(change('register.mark', { ...mark, delegate_id: (await delegate(id, who))?.id }));
    const done = change('register.complete', { marks: marks.map((m) => m.id), note: '', method: 'signed_in', drawing: null });
    return send<Register>(provider, 'PATCH', `/training-sessions/${id}/register`, { changes: [...marks, done] });
  };
  const releases = (automatically: boolean) =>
    server.database.db.run(sql`insert into training_company_settings (entity_id, auto_release_certificates, updated_at, updated_by)
      values (${brightpath}, ${automatically}, now(), ${userOf(provider)})
      on conflict (entity_id) do update set auto_release_certificates = excluded.auto_release_certificates`);
  const results = (id: string) =>
    server.database.db.all<{ user_id: string; certificate_suppressed: boolean }>(sql`select r.user_id, r.certificate_suppressed from current_results r
      join session_delegates d on d.id = r.delegate_id where d.session_id = ${id}`);

  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    await db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
      values (gen_random_uuid(), ${brightpath}, ${group}, ${userOf(provider)}, now()) on conflict do nothing`);
    await db.run(
      sql`update entities set can_view_external_bookings = true, can_manage_bookings = true where id = any(${[brightpath, group]}::uuid[])`,
    );
    await releases(true);
    for (const who of [provider, booker]) {
      const client = server.client();
      await client.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
      clients.set(who, client);
    }
  });
  afterAll(() => server.close());

  it('a move, what to bring, taking off, putting back, and the cancellation: the delegates, and those who booked them', async () => {
    const id = await planned(7);
    await booked(id, [grace, liam]);
    const path = `/training-sessions/${id}`;
    const moved = await since(() => send(provider, 'PATCH', path, { date: day(8) }));
    for (const who of [grace, liam, booker]) expect(moved.to(who), who).toEqual([expect.stringMatching(/ has changed\. It is now on /)]);
    expect(moved.mailed.toSorted()).toEqual([booker, grace, liam].map((who) => `${who}@willowbrook.test`));
    const bring = await since(() => send(provider, 'PATCH', path, { bring: 'Flat shoes' }));
    expect([bring.to(grace), bring.to(booker)]).toEqual([[expect.stringMatching(/What to bring: Flat shoes/)], []]);
    const place = `${path}/delegates/${(await delegate(id, liam))?.id}`;
    const off = await since(() => send(provider, 'DELETE', place));
    expect([off.to(liam), off.to(grace)]).toEqual([[expect.stringMatching(/^You are no longer booked on /)], []]);
    const back = await since(() => send(provider, 'POST', `${place}/restoration`), 201);
    expect(back.to(liam)).toEqual([expect.stringMatching(/^You are booked on /)]);
    const cancelled = await since(() => send(provider, 'POST', `${path}/cancellation`, { notes: 'The trainer is ill.' }), 201);
    for (const who of [grace, liam, booker])
      expect(cancelled.to(who), who).toEqual([expect.stringMatching(/is cancelled\. Reason: The trainer is ill\.$/)]);
    expect([cancelled.told, cancelled.people]).toEqual([3, 3]);
    expect(cancelled.mailed.toSorted()).toEqual([booker, grace, liam].map((who) => `${who}@willowbrook.test`));
  });

  it('the cancellation: those who wait as well, and who had them wait', async () => {
    const id = await planned(9, 1);
    await booked(id, [grace, sophie], { waiting: true });
    const cancelled = await since(() => send(provider, 'POST', `/training-sessions/${id}/cancellation`, { notes: 'Too few.' }), 201);
    expect(cancelled.to(sophie)).toEqual([expect.stringMatching(/is cancelled\. You were on its waiting list\.$/)]);
    expect(cancelled.to(booker)).toEqual([
      expect.stringMatching(/Reason: Too few\.$/),
      expect.stringMatching(/On its waiting list, added by you: Sophie Turner\.$/),
    ]);
  });

  it('certificates: withheld until they are released, or at once; and the register says that they are recorded', async () => {
    await releases(false);
    const id = await planned(1);
    await booked(id, [grace, liam]);
    await server.database.db.run(sql`update training_sessions set date = ${day(0)} where id = ${id}`);
    const taken = await held(id, [grace, liam]);
    expect([taken.status, taken.data.certificates_withheld, taken.data.delegates.map((d) => d.recorded)]).toEqual([200, true, [true, true]]);
    expect((await results(id)).map((r) => r.certificate_suppressed)).toEqual([true, true]);
    const released = await since(() => send(provider, 'POST', `/training-sessions/${id}/certificates`), 201);
    expect((await results(id)).map((r) => r.certificate_suppressed)).toEqual([false, false]);
    expect(released.told).toBe(2);
    for (const who of [grace, liam]) expect(released.to(who)).toEqual([expect.stringMatching(/^Your certificate for “Moving and assisting people”/)]);
    await releases(true);
    const next = await planned(1);
    await booked(next, [grace]);
    await server.database.db.run(sql`update training_sessions set date = ${day(0)} where id = ${next}`);
    expect((await held(next, [grace])).data.delegates.map((d) => d.recorded)).toEqual([true]);
    expect(await results(next)).toEqual([{ user_id: userOf(grace), certificate_suppressed: false }]);
    // Nothing is marked as incomplete that was never finished.
    const unfinished = await send<Register>(provider, 'POST', `/training-sessions/${await planned(6)}/reopening`, { reason: 'Not signed.' });
    expect([unfinished.status, unfinished.errors]).toEqual([
      422,
      { reason: ['This register is not finished: there is nothing to mark as incomplete.'] },
    ]);
    // A register that is marked as incomplete takes them back, in the same step.
    expect(
      (await send<Register>(provider, 'POST', `/training-sessions/${next}/reopening`, { reason: 'Not signed.' })).data.delegates[0]?.recorded,
    ).toBe(false);
    expect(await results(next)).toEqual([]);
  });

  it('the day on which it was held, where it was moved meanwhile', async () => {
    const id = await planned(1);
    await booked(id, [grace]);
    const { db } = server.database;
    // It was held yesterday, by a device that did not know that it had been moved to a later day.
    await db.run(
      sql`update training_sessions set former_days = ${[day(-1)]}::date[], moved_by = ${userOf(provider)}, date = ${day(3)} where id = ${id}`,
    );
    expect((await held(id, [grace])).data).toMatchObject({ taken_on: day(-1), delegates: [{ recorded: false }] });
    const confirmed = await since(() => send(provider, 'POST', `/training-sessions/${id}/held`, { held: true }), 201);
    for (const who of [grace, booker]) expect(confirmed.to(who), who).toEqual([expect.stringMatching(/ was held on .*, and not on /)]);
    expect((await delegate(id, grace))?.recorded).toBe(true);
  });

  it('a copy to another session: their organisation is asked, and has no place and no cost until it approves', async () => {
    const [from, to] = [await planned(7), await planned(8)];
    await booked(from, [grace, liam]);
    const places = () => server.database.db.all(sql`select user_id from session_delegates where session_id = ${to} and removed_at is null`);
    type Given = { booked: object[]; already: object[]; asked: { name: string }[] };
    const copy = () =>
      send<Given>(provider, 'POST', `/training-sessions/${from}/delegates/copy`, { session_id: to, delegate_ids: null, waiting: false });
    const given = (await copy()).data;
    expect([given.booked, given.already, given.asked.map((p) => p.name).toSorted()]).toEqual([[], [], ['Grace Adeyemi', 'Liam Murphy']]);
    expect(await places()).toEqual([]);
    // Once more asks for nobody twice.
    await copy();
    const requests = await server.database.db.all<{
      id: string;
    }>(sql`select distinct b.id from bookings b join booking_places p on p.booking_id = b.id
      where p.session_id = ${to} and b.confirmed_at is null`);
    expect(requests).toHaveLength(1);
    const request = (await send<Booking>(booker, 'GET', `/bookings/${requests[0]?.id}`)).data;
    expect([request.state, request.client.id, request.may.decide]).toEqual(['requested', group, true]);
    const letters = await server.database.db.all(
      sql`select 1 from messages where recipient_id = ${userOf(booker)} and message like 'We suggest to book %'`,
    );
    expect(letters).toHaveLength(1);
    expect((await send<Booking>(booker, 'POST', `/bookings/${request.id}/approval`, { waiting: false })).data.state).toBe('confirmed');
    expect(await places()).toHaveLength(2);
  });

  it('a move to a dearer session: their organisation is asked, and gives up the places that they have when it agrees', async () => {
    const { db } = server.database;
    const [from, within, dearer] = [await planned(12), await planned(13), await planned(40)];
    await db.run(sql`insert into training_prices (id, entity_id, course_id, per_person_pence, vat_rate, valid_from)
      select gen_random_uuid(), t.entity_id, t.course_id, p.pence, 20, p.valid_from from training_sessions t,
        (values (5000, ${day(-1)}::date), (9000, ${day(30)}::date)) p (pence, valid_from) where t.id = ${from}`);
    await booked(from, [grace, liam]);
    const places = async (id: string) =>
      (await db.all<{ user_id: string }>(sql`select user_id from session_delegates where session_id = ${id} and removed_at is null`)).length;
    type Given = { booked: object[]; asked: { name: string }[] };
    const move = async (source: string, to: string) =>
      (await send<Given>(provider, 'POST', `/training-sessions/${source}/delegates/transfer`, { session_id: to, delegate_ids: null, waiting: false }))
        .data;
    // As dear as what they have: they are moved.
    expect(await move(from, within)).toMatchObject({ booked: [{}, {}], asked: [] });
    const given = await move(within, dearer);
    expect([given.booked, given.asked.map((p) => p.name).toSorted()]).toEqual([[], ['Grace Adeyemi', 'Liam Murphy']]);
    expect([await places(within), await places(dearer)]).toEqual([2, 0]);
    const request = await db.one<{ id: string }>(sql`select distinct booking_id as id from booking_places where session_id = ${dearer}`);
    const letters = await db.all<{ message: string }>(
      sql`select message from messages where recipient_id = ${userOf(booker)} and message like 'We suggest to move %'`,
    );
    expect(letters).toEqual([{ message: expect.stringMatching(/^We suggest to move .* which costs more \(/) }]);
    const approved = (await send<Booking>(booker, 'POST', `/bookings/${request?.id}/approval`, { waiting: false })).data;
    expect([approved.state, approved.notes]).toEqual(['confirmed', expect.stringMatching(/^Instead of /)]);
    expect([await places(within), await places(dearer)]).toEqual([0, 2]);
    await db.run(sql`delete from training_prices where course_id = ${course}`);
  });

  it('a leaver: no reminder and no joining link, and their place goes to the next who waits, of which who booked them is told', async () => {
    const { db } = server.database;
    const id = await planned(1, 1);
    await db.run(sql`update training_sessions set virtual = true, joining_link = 'https://meet.example.org/private' where id = ${id}`);
    await booked(id, [liam, sophie], { waiting: true });
    const full = await planned(2, 1);
    await booked(full, [grace, liam], { waiting: true });
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
    const services = { db, config, mail: createMailer(config, db, brandOfAddress), now: () => server.clock.now, log: server.app.log };
    await db.run(sql`update users set disabled_at = now() where id = ${userOf(liam)}`);
    await sendNotices(services);
    const links = await db.all<{ recipient: string }>(sql`select recipient from outgoing_mail where body like '%meet.example.org/private%'`);
    expect(links).toEqual([]);
    expect(await lapsePlaces(services)).toBeGreaterThan(0);
    expect((await delegate(id, liam))?.removed).toMatchObject({ why: 'They have left.' });
    expect((await delegate(id, sophie))?.removed).toBeNull();
    const letters = await db.all<{ message: string }>(
      sql`select message from messages where recipient_id = ${userOf(booker)} and message like '%has left%'`,
    );
    for (const words of [/^Liam Murphy has left, and is no longer booked on /, /^Liam Murphy has left, and no longer waits for a place on /])
      expect(letters).toContainEqual({ message: expect.stringMatching(words) });
    expect(await db.all(sql`select 1 from session_waiting where session_id = ${full}`)).toEqual([]);
    expect(await lapsePlaces(services)).toBe(0);
    await db.run(sql`update users set disabled_at = null where id = ${userOf(liam)}`);
  });

  it('in the same transaction: a server that ends after the change has recorded them too', async () => {
    const id = await planned(1);
    await booked(id, [grace]);
    const { db } = server.database;
    await db.run(sql`update training_sessions set date = ${day(0)} where id = ${id}`);
    // The records cannot be written: then the register is not finished either, and the device sends it again.
    await db.run(
      sql`alter table results add constraint no_more check (delegate_id is null or user_id <> ${sql`'${{ text: userOf(grace), values: [] }}'`}) not valid`,
    );
    const refused = await held(id, [grace]);
    expect(refused.status).toBe(500);
    expect((await send<Register>(provider, 'GET', `/training-sessions/${id}`)).data.completed).toBeNull();
    await db.run(sql`alter table results drop constraint no_more`);
    expect((await held(id, [grace])).data).toMatchObject({ completed: {}, delegates: [{ recorded: true }] });
  });
});

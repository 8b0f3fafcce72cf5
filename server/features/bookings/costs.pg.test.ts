import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Booking, BookingCost } from '#contract/entities/booking.ts';
import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import type { Register } from '#contract/entities/training-session.ts';
import type { Licence, TrainingBudget, TrainingOrder } from '#contract/entities/training-order.ts';
import { shownOf } from '#contract/rules/booking-cost.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import type { SpendLine } from '#contract/reports/training.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const brightpath = demoId('entity:brightpath');
const course = demoId('course:Moving and assisting people');
const provider = 'admin@brightpath.test';
const client = 'admin';

describe('what bookings cost', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = async (who: string): Promise<TestClient> => {
    const known = clients.get(who);
    if (known) return known;
    const made = server.client();
    await made.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
    clients.set(who, made);
    return made;
  };
  const send = async <T>(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    return (await as(who)).json<Answer<T>>(method, path, body);
  };
  const day = (days: number) => addDays(dayIn(server.clock.now, 'Europe/London'), days);
  const planned = async (days = 7, course_id = course): Promise<string> => {
    // A trainer gives one session at a time: earlier ones go to another trainer.
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${userOf(provider)}`);
    const made = await send<Register>(provider, 'POST', '/training-sessions', {
      ...{ date: day(days), startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', maxDelegates: 12 },
      ...{ grading_method: 'attendance', course_id, trainer_id: userOf(provider), availableTo: 'clients' },
    });
    return made.body.data.id;
  };
  const price = async (per_person_pence: number | null, per_session_pence: number | null, from: string, of = course) => {
    const body = { course_id: of, per_person_pence, per_session_pence, vat_rate: 20, valid_from: from };
    expect((await send(provider, 'POST', '/training-prices', body)).status).toBe(201);
  };
  const book = async (sessions: string[], people: string[], who = client) =>
    (await send<Booking>(who, 'POST', '/bookings', { session_ids: sessions, user_ids: people.map(userOf), notes: '', waiting: false })).body.data;
  const costOf = async (id: string, who = client) => (await send<Booking>(who, 'GET', `/bookings/${id}`)).body.data.cost as BookingCost;
  const held = (session: string) =>
    server.database.db.run(sql`insert into register_completions (id, session_id, marks, note, method, by_id, at, received_at)
      values (${randomUUID()}, ${session}, '{}', '', 'signed_in', ${userOf(provider)}, now(), now())`);
  const placeOf = async (booking: string, name: string) =>
    (await send<Booking>(client, 'GET', `/bookings/${booking}`)).body.data.sessions[0]?.places.find((p) => p.user.name === name)?.id ?? '';
  /** Orders places on the course, approved by the budget holder. */
  const buy = async (quantity: number): Promise<TrainingOrder> => {
    const item = await send<MarketplaceItem>(provider, 'POST', '/marketplace-items', {
      ...{
        type: 'face2face',
        course_id: course,
        title: 'A place on moving and assisting',
        description: '',
        price_pence: 4000,
        vat_rate: 20,
        seats: 1,
      },
      ...{ licence_months: 12, published: true, available_to: 'all' },
    });
    const { id } = (await send<TrainingOrder>(client, 'POST', '/training-orders', { item_id: item.body.data.id, quantity })).body.data;
    await send(client, 'POST', `/training-orders/${id}/steps`, { step: 'submit' });
    const { body } = await send<TrainingOrder>(client, 'POST', `/training-orders/${id}/steps`, { step: 'approve' });
    expect(body.data.state).toBe('approved');
    return body.data;
  };

  beforeAll(async () => {
    server = await startTestApp();
    for (const who of [client, provider]) await as(who);
  });
  beforeEach(async () => {
    const { db } = server.database;
    await db.run(sql`delete from training_prices where entity_id = ${brightpath}`);
    await db.run(sql`update training_licences set ended_at = now() where ended_at is null`);
    await price(6500, null, day(-30));
  });
  afterAll(() => server.close());

  it('are the prices that the provider’s list named when places were given, for who is on the list, to both sides', async () => {
    const session = await planned();
    const { id, cost } = await book([session], ['grace.adeyemi', 'liam.murphy']);
    expect(cost).toMatchObject({ net_pence: 13_000, vat_pence: 2600, gross_pence: 15_600, bought: [], unpriced: [] });
    expect(cost?.lines).toMatchObject([{ session_id: session, of: 'person', quantity: 2, price_pence: 6500, held: false, on: day(7) }]);
    // A later price applies to later bookings.
    await price(9900, null, day(1));
    const place = await placeOf(id, 'Liam Murphy');
    await send(client, 'PATCH', `/bookings/${id}/places/${place}`, { action: 'remove', reason: 'On leave.' });
    expect(await costOf(id, provider)).toMatchObject({ net_pence: 6500, lines: [{ quantity: 1, price_pence: 6500 }] });
    expect((await book([await planned(8)], ['liam.murphy'])).cost).toMatchObject({ net_pence: 9900 });
  });

  it('have the price of a session once for each client, beside that of each person', async () => {
    await price(1000, 30_000, day(2));
    const session = await planned(9);
    const first = await book([session], ['grace.adeyemi']);
    const second = await book([session], ['liam.murphy', 'learner']);
    expect(first.cost?.lines.map((l) => [l.of, l.net_pence])).toEqual([
      ['person', 1000],
      ['session', 30_000],
    ]);
    expect(second.cost?.lines.map((l) => [l.of, l.net_pence])).toEqual([['person', 2000]]);
    await send(client, 'POST', `/bookings/${first.id}/cancellation`, { reason: 'No longer.' });
    expect(await costOf(first.id)).toMatchObject({ lines: [], gross_pence: 0 });
    expect((await costOf(second.id)).lines.map((l) => l.of)).toEqual(['person', 'session']);
  });

  it('say that no price is known, rather than nothing to pay, until the provider names one', async () => {
    const other = demoId('course:Equality, diversity and human rights');
    const session = await planned(10, other);
    const { id, cost } = await book([session], ['grace.adeyemi']);
    expect(cost).toMatchObject({ lines: [], gross_pence: 0, unpriced: [{ session_id: session, places: 1 }] });
    await price(3000, null, day(20), other);
    expect((await costOf(id)).unpriced).toHaveLength(1);
    await price(5000, null, day(1), other);
    expect(await costOf(id)).toMatchObject({ net_pence: 5000, unpriced: [] });
    await price(9000, null, day(2), other);
    expect(await costOf(id)).toMatchObject({ net_pence: 5000 });
  });

  it('take of the budget of the year: what is to be held as booked, what was held as spent, what is off the list as neither', async () => {
    const year = Number(day(13).slice(0, 4));
    const budget = async () => {
      const { booked, spent } = (await send<TrainingBudget>(client, 'GET', `/training-budget?year=${year}`)).body.data;
      return { booked, spent };
    };
    await send(client, 'PATCH', '/training-budget', { year, amount: 100_000 });
    await price(1015, 30_000, day(13));
    // Earlier bookings of others.
    await server.database.db.run(sql`delete from booking_prices`);
    // The demo's orders.
    const { spent } = await budget();
    const session = await planned(13);
    const { id, cost } = await book([session], ['grace.adeyemi', 'liam.murphy', 'learner']);
    expect([await budget(), cost?.gross_pence]).toEqual([{ booked: 39_654, spent }, 39_654]);
    await send(client, 'PATCH', `/bookings/${id}/places/${await placeOf(id, 'Liam Murphy')}`, { action: 'remove', reason: 'On leave.' });
    expect(await budget()).toEqual({ booked: 38_436, spent });
    await held(session);
    expect(await budget()).toEqual({ booked: 0, spent: spent + 38_436 });
    // Another year has another budget, and a provider has none of its client.
    const other = await send<TrainingBudget>(client, 'GET', `/training-budget?year=${year + 1}`);
    expect(other.body.data).toMatchObject({ amount: null, booked: 0, spent: 0 });
    expect((await send<TrainingBudget>(provider, 'GET', '/training-budget')).body.data).toMatchObject({ amount: null, spent: 0 });
  });

  it('use the places bought before first, and give them back when somebody is taken off or a session is cancelled', async () => {
    const order = await buy(2);
    const licences = async () => (await send<Licence[]>(client, 'GET', `/training-orders/${order.id}/licences`)).body.data;
    const session = await planned(11);
    const { id, cost } = await book([session], ['grace.adeyemi', 'liam.murphy', 'learner']);
    expect(cost).toMatchObject({ net_pence: 6500, bought: [{ number: order.number, places: 2 }], lines: [{ quantity: 1 }] });
    expect((await costOf(id, provider)).bought).toMatchObject([{ number: null, places: 2 }]);
    expect((await licences()).filter((l) => l.user && l.begun)).toHaveLength(2);
    const [used] = await licences();
    expect((await send(client, 'DELETE', `/training-orders/${order.id}/licences/${used?.id}`)).body.code).toBe('in_use');
    const name = used?.user?.name ?? '';
    await send(client, 'PATCH', `/bookings/${id}/places/${await placeOf(id, name)}`, { action: 'remove', reason: 'On leave.' });
    expect(await costOf(id)).toMatchObject({ net_pence: 6500, bought: [{ places: 1 }] });
    expect((await licences()).map((l) => l.user?.name ?? null)).not.toContain(name);
    const again = await planned(12);
    expect((await book([again], ['grace.adeyemi', 'liam.murphy'])).cost).toMatchObject({ bought: [{ places: 1 }], lines: [{ quantity: 1 }] });
    await send(provider, 'POST', `/training-sessions/${session}/cancellation`, { notes: 'The trainer is ill.' });
    expect(await costOf(id)).toMatchObject({ lines: [], bought: [], gross_pence: 0 });
    expect((await licences()).filter((l) => l.user)).toHaveLength(1);
  });

  it('never use one prepaid place twice, also with concurrent bookings', async () => {
    await buy(1);
    const [a, b] = [await planned(13), await planned(14)];
    const made = await Promise.all([book([a], ['grace.adeyemi']), book([b], ['liam.murphy'])]);
    const costs = await Promise.all(made.map((m) => costOf(m.id)));
    expect(costs.flatMap((c) => c.bought)).toHaveLength(1);
    expect(costs.map((c) => c.net_pence).toSorted((x, y) => x - y)).toEqual([0, 6500]);
  });

  it('keep to the person a place that somebody assigned to them by hand', async () => {
    const order = await buy(1);
    const line = order.lines[0]?.id;
    await send(client, 'POST', `/training-orders/${order.id}/licences`, { line_id: line, user_ids: [userOf('liam.murphy')] });
    const session = await planned(15);
    const { id, cost } = await book([session], ['grace.adeyemi', 'liam.murphy']);
    expect(cost).toMatchObject({ bought: [{ places: 1 }], lines: [{ quantity: 1 }] });
    await send(client, 'PATCH', `/bookings/${id}/places/${await placeOf(id, 'Liam Murphy')}`, { action: 'remove', reason: 'On leave.' });
    const [licence] = (await send<Licence[]>(client, 'GET', `/training-orders/${order.id}/licences`)).body.data;
    expect(licence).toMatchObject({ user: { name: 'Liam Murphy' }, begun: false });
  });

  it('are said before booking, and in a request to who decides', async () => {
    await buy(1);
    const session = await planned(16);
    const estimate = (places: number, who = client) =>
      send<BookingCost | null>(who, 'GET', `/bookings/estimate?sessions=${session}&places=${places}`);
    expect((await estimate(3)).body.data).toMatchObject({ net_pence: 13_000, bought: [{ number: null, places: 1 }], lines: [{ quantity: 2 }] });
    expect((await estimate(3, provider)).body.data).toBeNull();
    expect((await estimate(0)).body.errors).toHaveProperty('places');
    expect((await (await as('learner@harbourview.test')).send('GET', `/bookings/estimate?sessions=${session}&places=1`)).statusCode).toBe(403);
    const asked = await book([session], ['grace.adeyemi', 'liam.murphy'], 'manager');
    expect([asked.state, asked.cost?.net_pence]).toEqual(['requested', 6500]);
  });

  it('are nothing within one tree of organisations, and nobody’s business who is not concerned', async () => {
    const trainer = userOf('trainer');
    await server.database.db.run(sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${trainer}`);
    const own = await send<Register>(client, 'POST', '/training-sessions', {
      ...{ date: day(17), startTime: '09:30', endTime: '12:30', venue: 'Here', room: '', aim: '', maxDelegates: 12 },
      ...{ grading_method: 'attendance', course_id: course, trainer_id: trainer },
    });
    expect((await book([own.body.data.id], ['grace.adeyemi'])).cost).toBeNull();
    const { id } = await book([await planned(18)], ['grace.adeyemi']);
    for (const path of [`/bookings/${id}`, `/bookings/${id}/invoice`])
      expect((await (await as('learner@harbourview.test')).send('GET', path)).statusCode).toBeGreaterThanOrEqual(403);
  });

  it('are lines for the accounts once a session was held, and in the report of what was spent', async () => {
    const [first, second] = [await planned(19), await planned(20)];
    const { id, reference } = await book([first], ['grace.adeyemi', 'liam.murphy']);
    const later = await book([second], ['grace.adeyemi']);
    expect((await (await as(client)).send('GET', `/bookings/${id}/invoice`)).statusCode).toBe(404);
    await held(first);
    const csv = (await (await as(provider)).send('GET', `/bookings/${id}/invoice?format=csv`)).body;
    const rows = csv
      .trim()
      .split('\r\n')
      .map((line) => line.replaceAll('"', '').split(','));
    expect(rows[0]).toEqual(expect.arrayContaining(['Booking', 'Held']));
    expect([rows.length, rows[1]?.[0], rows.at(-1)?.slice(-4)]).toEqual([3, reference, ['130.00', '', '26.00', '156.00']]);
    const pdf = await (await as(client)).send('GET', `/bookings/${id}/invoice`);
    const { lines } = await readPdf(pdf.rawPayload);
    expect(lines.join(' ')).toContain('£156.00');
    const spent = async (who: string) =>
      (await send<SpendLine[]>(who, 'POST', '/reports/training-spend?per_page=100', { period: 'all_time', from_date: day(-1), to_date: day(40) }))
        .body.data;
    for (const who of [client, provider]) {
      const found = (await spent(who)).filter((l) => l.booking_id === id || l.booking_id === later.id);
      expect(found.map((l) => [l.number, l.quantity, l.gross_pence, l.order_id])).toEqual([[reference, 2, 15_600, null]]);
    }
  });

  it('are refused where the price is another than was shown, with both, and made once whatever is sent again', async () => {
    const session = await planned();
    const shown = async (people: number) =>
      shownOf((await send<BookingCost>(client, 'GET', `/bookings/estimate?sessions=${session}&places=${people}`)).body.data);
    const post = async (people: string[], more: object, key: string = randomUUID(), who = client) =>
      (await as(who)).json<Answer<Booking> & { message?: string; shown?: object; cost?: BookingCost }>(
        'POST',
        '/bookings',
        { session_ids: [session], user_ids: people.map(userOf), notes: '', waiting: false, ...more },
        { 'Idempotency-Key': key },
      );
    const bookings = async () => (await server.database.db.all(sql`select 1 from booking_places where session_id = ${session}`)).length;
    const before = await shown(1);
    await price(7500, null, day(-1));
    const changed = await post(['liam.murphy'], { shown: before });
    expect([changed.status, changed.body.code]).toEqual([409, 'price_changed']);
    expect(changed.body.message).toBe('The price has changed from £78.00 to £90.00, with VAT. Nothing is booked yet: book again if you agree.');
    expect(changed.body).toMatchObject({ shown: before, cost: { net_pence: 7500, gross_pence: 9000 } });
    expect(await bookings()).toBe(0);
    // Also where the form showed no price, and where a price is withdrawn.
    expect((await post(['liam.murphy'], { shown: null })).body.message).toContain('from £0.00 to £90.00');
    const [now, key] = [await shown(1), randomUUID()];
    const made = await post(['liam.murphy'], { shown: now }, key);
    expect([made.status, made.body.data.cost?.net_pence]).toEqual([201, 7500]);
    // Repeated, and twice at once, also after another change of the price: there is one booking.
    await price(9000, null, day(0));
    const again = await Promise.all([1, 2].map(() => post(['liam.murphy'], { shown: now }, key)));
    expect(again.map((a) => [a.status, a.body.data.id])).toEqual([1, 2].map(() => [201, made.body.data.id]));
    expect(await bookings()).toBe(1);
    expect((await post(['megan.davies'], { shown: now }, key)).body.code).toBe('idempotency_mismatch');
    expect((await post(['liam.murphy'], {}, key, provider)).body.code).toBe('idempotency_mismatch');
    const fresh = await shown(1);
    const at_once = randomUUID();
    const both = await Promise.all([1, 2, 3].map(() => post(['megan.davies'], { shown: fresh }, at_once)));
    expect(new Set(both.map((a) => `${a.status} ${a.body.data?.id}`)).size).toBe(1);
    expect(both[0]?.status).toBe(201);
    // A place bought meanwhile is a change as well; a request without a shown price is booked as before.
    const free = await shown(1);
    await buy(1);
    expect((await post(['daniel.osei'], { shown: free })).body.message).toContain('from £108.00 to £0.00');
    expect((await post(['daniel.osei'], {})).status).toBe(201);
  });

  it('are not booked where a bought place was shown and is gone, though the price is £0 as well; one assigned by hand stands in nobody’s way', async () => {
    await price(0, null, day(-1));
    const session = await planned();
    const shown = async () => shownOf((await send<BookingCost>(client, 'GET', `/bookings/estimate?sessions=${session}&places=1`)).body.data);
    const body = async (who: string) => ({ session_ids: [session], user_ids: [userOf(who)], notes: '', waiting: false, shown: await shown() });
    const order = await buy(1);
    const asked = await body('liam.murphy');
    expect(asked.shown).toMatchObject({ gross_pence: 0, bought: 1 });
    // Somebody assigns the place manually meanwhile.
    const line = order.lines[0]?.id;
    await send(client, 'POST', `/training-orders/${order.id}/licences`, { line_id: line, user_ids: [userOf('grace.adeyemi')] });
    const refused = await send<Booking>(client, 'POST', '/bookings', asked);
    expect([refused.status, refused.body.code]).toEqual([409, 'price_changed']);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('from £0.00 and 1 place bought before to £0.00, with VAT') });
    // Forms of earlier versions do not mention prepaid places.
    const { bought: _, ...sums } = asked.shown;
    expect((await send<Booking>(client, 'POST', '/bookings', { ...asked, shown: sums })).status).toBe(201);
    // The holder of the place uses it, though the form showed the price for a person.
    await price(6500, null, day(0));
    const own = await body('grace.adeyemi');
    expect(own.shown).toMatchObject({ net_pence: 6500, bought: 0 });
    const made = await send<Booking>(client, 'POST', '/bookings', own);
    expect([made.status, made.body.data.cost]).toMatchObject([201, { gross_pence: 0, bought: [{ places: 1 }] }]);
  });

  it('are refused to who approves or asks the graph where the price is another than was shown, and the request stays', async () => {
    const session = await planned();
    const { id, cost } = await book([session], ['grace.adeyemi', 'liam.murphy'], 'manager');
    const seen = shownOf(cost);
    await price(7500, null, day(-1));
    const approve = (shown: object | null) => send<Booking>(client, 'POST', `/bookings/${id}/approval`, { waiting: false, shown });
    const refused = await approve(seen);
    expect([refused.status, refused.body.code]).toEqual([409, 'price_changed']);
    expect(refused.body).toMatchObject({
      message: 'The price has changed from £156.00 to £180.00, with VAT. Nothing is booked yet: approve again if you agree.',
      cost: { gross_pence: 18_000 },
    });
    expect((await approve(null)).body.code).toBe('price_changed');
    const upsert = 'mutation ($input: BookingInput!) { upsertBooking(input: $input) { id confirmed } }';
    const graph = async (input: object) => {
      type Made = { data: { upsertBooking: { id: string; confirmed: boolean } | null }; errors?: { extensions: { code: string } }[] };
      return (await (await as(client)).json<Made>('POST', '/graphql', { query: upsert, variables: { input } })).body;
    };
    expect((await graph({ id, confirmed: true, shown: seen })).errors?.[0]?.extensions.code).toBe('price_changed');
    const more = { training_session_ids: [session], user_ids: [userOf('megan.davies')] };
    expect((await graph({ ...more, shown: null })).errors?.[0]?.extensions.code).toBe('price_changed');
    const now = (await send<Booking>(client, 'GET', `/bookings/${id}`)).body.data;
    expect([now.state, now.cost?.gross_pence]).toEqual(['requested', 18_000]);
    expect((await approve(shownOf(now.cost))).body.data).toMatchObject({ state: 'confirmed', cost: { gross_pence: 18_000 } });
    const one = { net_pence: 7500, vat_pence: 1500, gross_pence: 9000, unpriced: 0, bought: 0 };
    expect((await graph({ ...more, shown: one })).data.upsertBooking).toMatchObject({ confirmed: true });
  });

  it('are at no other price where it is changed in the moment of booking', async () => {
    const session = await planned();
    const { db } = server.database;
    const seen = shownOf((await send<BookingCost>(client, 'GET', `/bookings/estimate?sessions=${session}&places=1`)).body.data);
    // While the places are given, somebody changes the list.
    await db.run(sql`create function change_price() returns trigger language plpgsql security definer as $$
      begin update training_prices set per_person_pence = 9900 where entity_id = new.provider_id; return new; end $$`);
    await db.run(sql`create trigger change_price after insert on bookings for each row execute function change_price()`);
    const body = { session_ids: [session], user_ids: [userOf('liam.murphy')], notes: '', waiting: false, shown: seen };
    const refused = await send<Booking>(client, 'POST', '/bookings', body);
    expect([refused.status, refused.body.code]).toEqual([409, 'price_changed']);
    expect(await db.all(sql`select 1 from booking_places where session_id = ${session}`)).toEqual([]);
    await db.run(sql`drop trigger change_price on bookings`);
    await db.run(sql`drop function change_price`);
    expect((await send<Booking>(client, 'POST', '/bookings', body)).status).toBe(201);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import type { Licence, OrderRow, TrainingBudget, TrainingOrder } from '#contract/entities/training-order.ts';
import { readConfig } from '#server/config.ts';
import { permissions } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { endLicences } from '#server/features/training-orders/licences.service.ts';
import { tellShortages } from '#server/features/training-orders/shortages.service.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<D> = { data: D; code?: string; message?: string; errors?: Record<string, string[]> };
let server: TestApp;
/** The manager of the house orders, the administrator of the group holds the budget; Brightpath and the platform provide. */
let manager: TestClient;
let group: TestClient;
let provider: TestClient;
let platform: TestClient;
let [fire, place]: string[] = [];
const course = demoId('course:Fire safety');
const grace = demoId('user:grace.adeyemi@willowbrook.test');
const liam = demoId('user:liam.murphy@willowbrook.test');
const house = demoId('entity:home');
const db = () => server.database.db;

const offer = async (by: TestClient, fields: object) =>
  (
    await by.json<Answer<MarketplaceItem>>('POST', '/marketplace-items', {
      ...{ description: '', vat_rate: 20, licence_months: 12, published: true, available_to: 'all', ...fields },
    })
  ).body.data.id;
const add = async (by: TestClient, item: string, quantity = 1) =>
  (await by.json<Answer<TrainingOrder>>('POST', '/training-orders', { item_id: item, quantity })).body.data;
const step = (by: TestClient, id: string, asked: string, more: object = {}) =>
  by.json<Answer<TrainingOrder>>('POST', `/training-orders/${id}/steps`, { step: asked, ...more });
const look = (by: TestClient, id: string) => by.json<Answer<TrainingOrder>>('GET', `/training-orders/${id}`);
const submitted = async (item: string, quantity = 1) => {
  const { id } = await add(manager, item, quantity);
  const { body } = await step(manager, id, 'submit');
  expect(body.data?.state, JSON.stringify(body)).toBe('submitted');
  return body.data;
};
const approved = async (item: string, quantity = 1) => {
  const { id } = await submitted(item, quantity);
  const { body } = await step(group, id, 'approve');
  return body.data;
};
const budget = (by: TestClient, amount: number) =>
  by.json<Answer<TrainingBudget>>('PATCH', '/training-budget', { year: new Date().getFullYear(), amount });
const licences = async (id: string) => (await manager.json<Answer<Licence[]>>('GET', `/training-orders/${id}/licences`)).body.data;
const assign = (id: string, line: string, ...people: string[]) =>
  manager.json<Answer<Licence[]>>('POST', `/training-orders/${id}/licences`, { line_id: line, user_ids: people });
const config = readConfig({ NODE_ENV: 'test' });
const services = () => ({ db: db(), config, mail: createMailer(config, db(), brandOfAddress), now: () => new Date(), log: server.app.log });

beforeAll(async () => {
  server = await startTestApp();
  [manager, group, provider, platform] = [server.client(), server.client(), server.client(), server.client()];
  await manager.signIn('manager@willowbrook.test');
  await group.signIn('admin@willowbrook.test');
  await provider.signIn('admin@brightpath.test');
  await platform.signIn('super@lantern.test');
  fire = await offer(platform, { type: 'elearning', course_id: course, title: 'Fire safety, 2 licences', seats: 2, price_pence: 999 });
  place = await offer(provider, {
    type: 'face2face',
    course_id: demoId('course:Basic life support'),
    title: 'Life support',
    seats: 1,
    price_pence: 4550,
  });
});
beforeEach(async () => {
  await db().run(sql`update training_orders set state = 'cancelled'`);
  // The demo's bookings use budget too: costs.pg.test.ts.
  await db().run(sql`delete from booking_prices`);
  await db().run(sql`delete from training_budgets`);
  await db().run(sql`update training_licences set ended_at = now() where ended_at is null`);
  await db().run(sql`delete from entity_courses where by_licence`);
});
afterAll(() => server.close());

it('is put together, submitted and approved, each step with who and when; what was approved is fulfilled where it is e-learning', async () => {
  const draft = await add(manager, fire ?? '', 2);
  expect(draft).toMatchObject({
    state: 'draft',
    gross_pence: 2398,
    net_pence: 1998,
    vat_pence: 400,
    provider_pence: null,
    may: ['submit', 'cancel'],
  });
  expect((await add(manager, fire ?? '', 1)).id).toBe(draft.id);
  const change = { reference: 'PO 7', note: 'For the night shift.', lines: [{ item_id: fire, quantity: 2 }] };
  expect((await manager.json('PATCH', `/training-orders/${draft.id}`, { ...change, rev: draft.rev })).status).toBe(409);
  const { body } = await manager.json<Answer<TrainingOrder>>('PATCH', `/training-orders/${draft.id}`, {
    ...change,
    rev: (await look(manager, draft.id)).body.data.rev,
  });
  expect(body.data).toMatchObject({ reference: 'PO 7', gross_pence: 2398 });
  expect((await step(manager, draft.id, 'submit', { gross_pence: 1 })).body.code).toBe('rev_mismatch');
  await step(manager, draft.id, 'submit', { gross_pence: 2398 });
  expect((await step(manager, draft.id, 'approve')).status).toBe(403);
  const done = (await step(group, draft.id, 'approve')).body.data;
  expect([done.state, done.history.map((h) => [h.step, h.by.name])]).toEqual([
    'fulfilled',
    [
      ['submit', 'Helen Marsh'],
      ['approve', 'Priya Raman'],
      ['fulfil', 'Priya Raman'],
    ],
  ]);
  expect((await step(group, draft.id, 'approve')).body.code).toBe('already_decided');
  expect((await manager.json('PATCH', `/training-orders/${draft.id}`, { ...change, rev: done.rev })).body).toMatchObject({ code: 'already_decided' });
});

it('is declined with a reason that the orderer gets, and can be submitted again', async () => {
  const { id } = await submitted(fire ?? '');
  expect((await step(group, id, 'decline')).body.errors).toEqual({ reason: ['Enter a reason.'] });
  await step(group, id, 'decline', { reason: 'Next month.' });
  const { data } = (await look(manager, id)).body;
  expect([data.state, data.history.at(-1)?.reason, data.may]).toEqual(['declined', 'Next month.', ['reopen', 'cancel']]);
  const declined = await db().one<{ n: number }>(
    sql`select count(*)::int as n from messages where recipient_id = ${demoId('user:manager@willowbrook.test')} and message like ${`%${data.number}%Next month.%`}`,
  );
  expect(declined?.n).toBe(1);
  await step(manager, id, 'reopen');
  expect((await step(manager, id, 'submit')).body.data.state).toBe('submitted');
});

it('comes out of the nearest budget: what waits is reserved, what is approved is spent', async () => {
  expect((await budget(manager, 1)).status).toBe(403);
  await budget(group, 5000);
  await submitted(fire ?? '', 1);
  await approved(fire ?? '', 2);
  const { data } = (await manager.json<Answer<TrainingBudget>>('GET', '/training-budget')).body;
  expect(data).toMatchObject({ entity: { name: 'Willowbrook Care Group' }, amount: 5000, reserved: 1199, spent: 2398, may_set: false });
});

/** As if somebody else had submitted it. */
const ofColleague = async <O extends { id: string }>(order: O): Promise<O> => {
  await db().run(sql`update training_order_steps set by_id = ${grace} where order_id = ${order.id} and step = 'submit'`);
  return order;
};

it('over the budget, or without one, is decided only by the budget holder', async () => {
  // People who manage the bookings of the house may approve there, but hold no budget.
  await db().run(sql`update entities set can_manage_bookings = true where id = ${house}`);
  await db().run(
    sql`insert into user_permissions (user_id, permission_id) values (${demoId('user:manager@willowbrook.test')}, 10) on conflict do nothing`,
  );
  const booker = server.client();
  await booker.signIn('manager@willowbrook.test');
  const without = await ofColleague(await submitted(fire ?? ''));
  expect((await step(booker, without.id, 'approve')).status).toBe(403);
  await budget(group, 3000);
  expect((await look(booker, without.id)).body.data).toMatchObject({ over_budget: false, may: expect.arrayContaining(['approve']) });
  expect((await step(booker, without.id, 'approve')).body.data.state).toBe('fulfilled');
  const over = await ofColleague(await submitted(fire ?? '', 2));
  expect((await look(booker, over.id)).body.data).toMatchObject({
    over_budget: true,
    may_not_approve: expect.stringContaining('not within a budget'),
  });
  expect((await step(booker, over.id, 'approve')).status).toBe(403);
  expect((await step(group, over.id, 'approve')).body.data.state).toBe('fulfilled');
  await db().run(sql`delete from user_permissions where user_id = ${demoId('user:manager@willowbrook.test')} and permission_id = 10`);
});

it('is approved by somebody else than who submitted it, where somebody else is asked', async () => {
  const { id } = await add(group, fire ?? '');
  // Nobody else holds the budget.
  expect((await step(group, id, 'submit')).body.data).toMatchObject({ may: expect.arrayContaining(['approve']), may_not_approve: null });
  const second = demoId('user:manager@willowbrook.test');
  const updates = permissions.find((p) => p.slug === 'entity.update')?.id as number;
  await db().run(sql`update users set primary_entity_id = ${demoId('entity:group')} where id = ${second}`);
  await db().run(sql`insert into user_permissions (user_id, permission_id) values (${second}, ${updates}) on conflict do nothing`);
  const shown = (await look(group, id)).body.data;
  expect([shown.may_not_approve, shown.may.includes('approve')]).toEqual(['You submitted this order: somebody else approves it.', false]);
  const refused = await step(group, id, 'approve');
  expect([refused.status, refused.body.message]).toEqual([403, 'You submitted this order: somebody else approves it.']);
  const other = server.client();
  await other.signIn('manager@willowbrook.test');
  expect((await step(other, id, 'approve')).body.data.state).toBe('fulfilled');
  await db().run(sql`update users set primary_entity_id = ${house} where id = ${second}`);
  await db().run(sql`delete from user_permissions where user_id = ${second} and permission_id = ${updates}`);
});

it('two orders that fit one by one, and not together, are not both approved within the budget', async () => {
  await db().run(
    sql`insert into user_permissions (user_id, permission_id) values (${demoId('user:manager@willowbrook.test')}, 10) on conflict do nothing`,
  );
  const booker = server.client();
  await booker.signIn('manager@willowbrook.test');
  const orders = [await ofColleague(await submitted(fire ?? '')), await ofColleague(await submitted(fire ?? ''))];
  // Set after they were submitted: neither is reserved, and each alone is within it.
  await budget(group, 1500);
  const answers = await Promise.all(orders.map(({ id }) => step(booker, id, 'approve')));
  expect(answers.map((a) => a.status).sort()).toEqual([201, 403]);
  expect((await group.json<Answer<TrainingBudget>>('GET', '/training-budget')).body.data.spent).toBe(1199);
  await db().run(sql`delete from user_permissions where user_id = ${demoId('user:manager@willowbrook.test')} and permission_id = 10`);
});

it('a provider sees what was ordered of it, from its approval on, and nothing that the client says among themselves', async () => {
  const draft = await add(manager, place ?? '', 2);
  await manager.json('PATCH', `/training-orders/${draft.id}`, {
    reference: 'PO 8',
    note: 'Secret note',
    lines: [{ item_id: place, quantity: 2 }],
    rev: draft.rev,
  });
  await step(manager, draft.id, 'submit');
  expect((await look(provider, draft.id)).status).toBe(404);
  await step(group, draft.id, 'approve');
  const { data } = (await look(provider, draft.id)).body;
  expect(data).toMatchObject({
    side: 'provider',
    reference: 'PO 8',
    note: null,
    created_by: null,
    history: [],
    budget: null,
    net_pence: 9100,
    platform_pence: 1820,
    provider_pence: 7280,
  });
  expect(data.lines[0]?.licences).toBe(null);
  expect(data.may).toEqual(['fulfil', 'cancel']);
  expect((await provider.send('GET', `/training-orders/${draft.id}/licences`)).statusCode).toBe(404);
  const listed = (await provider.json<Answer<OrderRow[]>>('GET', '/training-orders?filter=clients')).body.data;
  expect(listed.map((o) => o.id)).toContain(draft.id);
  expect((await provider.json<Answer<OrderRow[]>>('GET', '/training-orders')).body.data).toEqual([]);
  expect((await step(provider, draft.id, 'fulfil')).body.data.state).toBe('fulfilled');
  expect((await look(manager, draft.id)).body.data).toMatchObject({ state: 'fulfilled', platform_pence: null, note: 'Secret note' });
});

it('a provider that cannot deliver cancels with a reason: the licences end, and the budget has the money back', async () => {
  await budget(group, 10_000);
  const order = await approved(place ?? '');
  expect((await step(provider, order.id, 'cancel')).body.errors).toEqual({ reason: ['Enter a reason.'] });
  expect((await step(group, order.id, 'cancel', { reason: 'No.' })).status).toBe(403);
  expect((await step(provider, order.id, 'cancel', { reason: 'The trainer is ill.' })).status).toBe(201);
  expect((await licences(order.id)).map((l) => l.ended)).toEqual([true]);
  expect((await manager.json<Answer<TrainingBudget>>('GET', '/training-budget')).body.data).toMatchObject({ spent: 0, reserved: 0 });
});

it('gives the organisation the course, which is taken by those who hold a licence, for as long as it runs', async () => {
  await db().run(sql`delete from entity_courses where course_id = ${course} and entity_id = ${demoId('entity:group')}`);
  const learner = server.client();
  await learner.signIn('grace.adeyemi@willowbrook.test');
  const content = demoId('content:fire-safety');
  const takes = async () => (await learner.send('GET', `/content/${content}/document`)).statusCode;
  /** The content to which home links, and whether a licence is missing. */
  const leadsTo = async () => {
    const found = (await eventsOf(db(), [grace], new Date())).find((e) => e.course_id === course);
    return found && [found.content_id, found.needs_licence];
  };
  const order = await approved(fire ?? '');
  const line = order.lines[0]?.id ?? '';
  const may = async () =>
    (
      await db().one<{ n: number }>(
        sql`select count(*)::int as n from entity_courses where course_id = ${course} and entity_id = ${house} and by_licence`,
      )
    )?.n;
  expect(await may()).toBe(1);
  const before = [await takes(), await leadsTo()];
  expect((await assign(order.id, line, grace)).status).toBe(201);
  const after = [await takes(), await leadsTo()];
  expect([before, after]).toEqual([
    [404, [null, true]],
    [200, [content, false]],
  ]);
  await db().run(sql`update training_licences set expires_at = now() - interval '1 minute' where order_id = ${order.id}`);
  expect([await takes(), await leadsTo()]).toEqual([404, [null, true]]);
  const quiet = { db: db(), now: () => new Date(), mail: { wake: () => undefined } } as never;
  expect(await endLicences(quiet)).toEqual({ expiring: 0, ended: 2 });
  expect(await may()).toBe(0);
  // The last one has ended: it is still missing. Courses available without one, or with nothing to take, need none.
  expect(await leadsTo()).toEqual([null, true]);
  await db().run(sql`insert into entity_courses (entity_id, course_id) values (${demoId('entity:group')}, ${course}) on conflict do nothing`);
  expect(await leadsTo()).toEqual([content, false]);
  const others = (await eventsOf(db(), [grace], new Date())).filter((e) => e.content_id === null);
  expect([others.length > 0, others.some((e) => e.needs_licence)]).toEqual([true, false]);
});

it('licences are good to the end of their last day, whatever the hour of the approval', async () => {
  const now = server.clock.now;
  // At noon of a leap day, shortly before midnight, and on the day of a clock change.
  for (const [at, ends] of [
    ['2028-02-29T12:00:00Z', '2029-02-28T23:59:59.000Z'],
    ['2028-06-30T22:30:00Z', '2029-06-30T22:59:59.000Z'],
    ['2028-03-26T00:30:00Z', '2029-03-26T22:59:59.000Z'],
  ] as const) {
    const order = await submitted(fire ?? '');
    server.clock.now = new Date(at);
    await group.signIn('admin@willowbrook.test');
    await step(group, order.id, 'approve');
    const runs = await db().all<{ expires_at: string }>(sql`select distinct expires_at from training_licences where order_id = ${order.id}`);
    expect([at, runs]).toEqual([at, [{ expires_at: ends }]]);
    server.clock.now = now;
    await Promise.all([group.signIn('admin@willowbrook.test'), manager.signIn('manager@willowbrook.test')]);
  }
});

it('licences are assigned while there are any, and released until they are begun', async () => {
  const order = await approved(fire ?? '');
  const line = order.lines[0]?.id ?? '';
  const third = demoId('user:rhys.evans@willowbrook.test');
  expect((await assign(order.id, line, grace, liam, third)).body.errors?.user_ids?.[0]).toContain('There are 2 licences left');
  expect((await assign(order.id, line, grace, liam)).status).toBe(201);
  expect((await assign(order.id, line, third)).body.errors?.user_ids?.[0]).toContain('are used');
  expect((await assign(order.id, line, grace)).status).toBe(201);
  expect((await assign(order.id, line, demoId('user:learner@harbourview.test'))).body.errors?.user_ids?.[0]).toContain('Choose people of');
  const held = await licences(order.id);
  const of = (user: string) => held.find((l) => l.user?.id === user)?.id;
  await db().run(sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at)
    values (${randomUUID()}, ${grace}, ${demoId('content:fire-safety')}, 1, 77, now() + interval '1 minute')`);
  expect((await manager.json<Answer<null>>('DELETE', `/training-orders/${order.id}/licences/${of(grace)}`)).body).toMatchObject({ code: 'in_use' });
  expect((await manager.send('DELETE', `/training-orders/${order.id}/licences/${of(liam)}`)).statusCode).toBe(200);
  expect((await assign(order.id, line, third)).status).toBe(201);
  expect((await licences(order.id)).map((l) => [l.user?.name, l.begun])).toEqual([
    ['Grace Adeyemi', true],
    ['Rhys Evans', false],
  ]);
});

it('people who may order are notified once when few licences are left, and once when none is, also by two servers at once', async () => {
  const shortageMails = async () =>
    await db().all<{ recipient: string; subject: string; body: string }>(
      sql`select recipient, subject, body from outgoing_mail where subject like '% left of %' order by at`,
    );
  await db().run(sql`delete from outgoing_mail`);
  const order = await approved(fire ?? '');
  const line = order.lines[0]?.id ?? '';
  expect(await tellShortages(services())).toBe(0);
  expect((await assign(order.id, line, grace)).status).toBe(201);
  const few = await shortageMails();
  expect(few.map((m) => m.subject)).toEqual(['Few left of “Fire safety”']);
  expect(few[0]?.recipient).toBe('manager@willowbrook.test');
  expect(few[0]?.body).toContain('Of 2 licences for “Fire safety” that Willowbrook House has ordered, 1 is left.');
  // Somebody gets the last one without an immediate notification, as by a booking; two servers then notice it.
  await db().run(sql`update training_licences set user_id = ${liam}, assigned_at = now() where line_id = ${line} and user_id is null`);
  expect((await Promise.all([tellShortages(services()), tellShortages(services())])).sort()).toEqual([0, 1]);
  expect((await shortageMails()).map((m) => m.subject).sort()).toEqual(['Few left of “Fire safety”', 'None left of “Fire safety”']);
  // Releasing and assigning one again is not announced.
  const held = (await licences(order.id)).find((l) => l.user?.id === liam);
  await manager.send('DELETE', `/training-orders/${order.id}/licences/${held?.id}`);
  expect((await assign(order.id, line, liam)).status).toBe(201);
  expect(await shortageMails()).toHaveLength(2);
  expect((await assign(order.id, line, demoId('user:rhys.evans@willowbrook.test'))).body.errors?.user_ids?.[0]).toBe(
    'All licences of “Fire safety, 2 licences” are used. Release one that nobody has begun, or order more: find “Fire safety, 2 licences” in the marketplace and add it to an order.',
  );
  // Another order makes them enough for now, and running out of those is announced again.
  const again = await approved(fire ?? '', 3);
  expect(await tellShortages(services())).toBe(0);
  const people = await db().all<{ id: string }>(
    sql`select id from users where primary_entity_id = ${house} and disabled_at is null and id not in (${grace}, ${liam}) order by id limit 5`,
  );
  expect((await assign(again.id, again.lines[0]?.id ?? '', ...people.map((p) => p.id))).status).toBe(201);
  expect(
    (await shortageMails()).filter((m) => m.body.includes('Of 8 licences for “Fire safety” that Willowbrook House has ordered, 1 is left.')),
  ).toHaveLength(1);
  expect(await shortageMails()).toHaveLength(3);
});

it('that licences run out is seen in the list of orders, by its filter and on the order, and by the client alone', async () => {
  const order = await approved(fire ?? '');
  const listed = async (who: TestClient, filter = '') =>
    (await who.json<Answer<OrderRow[]>>('GET', `/training-orders?per_page=100${filter}`)).body.data.map((o) => [o.id, o.shortage] as const);
  const shown = async (who: TestClient, filter = '') => new Map(await listed(who, filter)).get(order.id);
  expect([await shown(manager), await shown(manager, '&filter=short')]).toEqual([null, undefined]);
  const line = order.lines[0]?.id ?? '';
  expect((await assign(order.id, line, grace)).status).toBe(201);
  expect([await shown(manager), await shown(manager, '&filter=short')]).toEqual(['few', 'few']);
  expect((await assign(order.id, line, liam)).status).toBe(201);
  expect(await listed(manager, '&filter=short')).toEqual([[order.id, 'none']]);
  expect((await look(manager, order.id)).body.data).toMatchObject({ shortage: 'none', lines: [{ offered: true, shortage: 'none' }] });
  expect(await shown(platform, '&filter=clients')).toBeNull();
  // A withdrawn item is no longer linked.
  await db().run(sql`update marketplace_items set published = false where id = ${fire ?? ''}`);
  const refused = await assign(order.id, line, demoId('user:rhys.evans@willowbrook.test'));
  await db().run(sql`update marketplace_items set published = true where id = ${fire ?? ''}`);
  expect(refused.body.errors?.user_ids?.[0]).toContain('this one is not offered any more');
  // Another order of the same counts with it, and neither is short then.
  const more = await approved(fire ?? '', 3);
  expect([await shown(manager), (await listed(manager, '&filter=short')).length]).toEqual([null, 0]);
  expect(new Map(await listed(manager)).get(more.id)).toBeNull();
  expect((await look(manager, order.id)).body.data).toMatchObject({
    shortage: null,
    lines: [{ licences: { total: 2, assigned: 2 }, shortage: null }],
  });
});

it('people who may order are notified that licences expire soon if the orderer has left', async () => {
  const order = await approved(fire ?? '');
  await db().run(sql`update training_licences set expires_at = now() + interval '29 days' where order_id = ${order.id}`);
  await db().run(sql`update training_orders set created_by = ${grace} where id = ${order.id}`);
  await db().run(sql`update users set disabled_at = now() where id = ${grace}`);
  await db().run(sql`delete from outgoing_mail`);
  await endLicences(services());
  await endLicences(services());
  await db().run(sql`update users set disabled_at = null where id = ${grace}`);
  const mails = await db().all<{ recipient: string; body: string }>(
    sql`select recipient, body from outgoing_mail where subject like 'Licences of order%'`,
  );
  expect(mails.map((m) => m.recipient)).toEqual(['manager@willowbrook.test']);
});

it('a renewal gives those who hold a licence one of the new order', async () => {
  // An order is renewed by the organisation that ordered: here the group, for somebody of the house.
  const { id } = await add(group, fire ?? '');
  await step(group, id, 'submit');
  const old = (await step(group, id, 'approve')).body.data;
  const hold = { line_id: old.lines[0]?.id, user_ids: [grace] };
  expect((await group.json('POST', `/training-orders/${id}/licences`, hold)).status).toBe(201);
  const { data } = (await group.json<Answer<TrainingOrder>>('POST', `/training-orders/${id}/renewal`)).body;
  expect(data).toMatchObject({ state: 'draft', renews: { id }, lines: [{ quantity: 1 }] });
  expect((await group.json<Answer<TrainingOrder>>('POST', `/training-orders/${id}/renewal`)).body.data.id).toBe(data.id);
  await step(group, data.id, 'submit');
  await step(group, data.id, 'approve');
  const held = (await group.json<Answer<Licence[]>>('GET', `/training-orders/${data.id}/licences`)).body.data;
  expect(held.map((l) => l.user?.name ?? null)).toEqual(['Grace Adeyemi', null]);
});

it('adds up for the accounts, and shows the shares to the provider alone', async () => {
  const order = await approved(place ?? '', 3);
  const csv = async (by: TestClient) => (await by.send('GET', `/training-orders/${order.id}/invoice?format=csv`)).body;
  const rows = (await csv(provider))
    .trim()
    .split('\r\n')
    .map((line) => line.replaceAll('"', '').split(','));
  expect(rows[0]?.slice(-6)).toEqual(['Net', 'VAT rate', 'VAT', 'Gross', 'Provider share', 'Platform share']);
  expect(rows.at(-1)?.slice(-6)).toEqual(['136.50', '', '27.30', '163.80', '109.20', '27.30']);
  expect(await csv(manager)).not.toContain('share');
  const pdf = await manager.send('GET', `/training-orders/${order.id}/invoice`);
  expect([pdf.statusCode, pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-']);
  expect((await group.send('GET', `/training-orders/${(await add(group, fire ?? '')).id}/invoice`)).statusCode).toBe(404);
});

it('is nobody’s business who belongs to another organisation', async () => {
  const order = await submitted(fire ?? '');
  expect((await look(provider, order.id)).status).toBe(404);
  const other = server.client();
  await other.signIn('learner@harbourview.test');
  expect((await look(other, order.id)).status).toBe(403);
  const own = await provider.json<Answer<null>>('POST', '/training-orders', { item_id: place, quantity: 1 });
  expect(own.body.errors?.item_id?.[0]).toContain('your own organisation');
});

it('a course of which something is offered, ordered or priced is not deleted, and says why; an invoice keeps its text', async () => {
  const made = await provider.json<Answer<{ id: string }>>('POST', '/courses', { title: 'Knots', short_title: 'Knots' });
  const id = made.body.data.id;
  const refused = async () => {
    const { status, body } = await provider.json<Answer<null>>('DELETE', `/courses/${id}`);
    return [status, body.message];
  };
  const because = (why: string) => [409, `This course cannot be deleted: ${why}. Take back “Published” instead.`];
  const item = await offer(provider, { type: 'face2face', course_id: id, title: 'Knots, an hour', seats: 1, price_pence: 1000 });
  expect(await refused()).toEqual(because('1 item of the marketplace is of it'));
  const order = await approved(item);
  expect(await refused()).toEqual(because('1 item of the marketplace is of it, 1 order has it'));
  expect((await provider.json<Answer<null>>('DELETE', `/marketplace-items/${item}`)).body.message).toContain('has been ordered');
  await db().run(sql`insert into training_prices (id, entity_id, course_id, per_person_pence, vat_rate, valid_from)
    values (gen_random_uuid(), ${demoId('entity:brightpath')}, ${id}, 1000, 20, current_date)`);
  expect((await refused())[1]).toContain('1 price list names it');
  await provider.json('PATCH', `/marketplace-items/${item}`, {
    ...{ description: '', vat_rate: 20, licence_months: 12, published: false, available_to: 'all', type: 'face2face', course_id: id },
    ...{ title: 'Something else', seats: 1, price_pence: 1 },
  });
  await provider.json('PATCH', `/courses/${id}`, { title: 'Ropes' });
  const invoice = await manager.send('GET', `/training-orders/${order.id}/invoice?format=csv`);
  expect([invoice.statusCode, invoice.body.includes('Knots, an hour')]).toEqual([200, true]);
});

it('the only content of a course that is sold stays while it is offered, and while licences of it run', async () => {
  const [row] = await db().all<{ id: string; course_id: string }>(sql`select id, course_id from contents where title = 'Nutrition and hydration'`);
  const refused = async () => {
    const { status, body } = await platform.json<Answer<null> | undefined>('DELETE', `/content/${row?.id}`);
    return [status, body?.message];
  };
  const because = (what: string) => [
    409,
    `This content cannot be deleted: it is the only one of its course, and is needed by ${what}. Add another to the course first.`,
  ];
  expect(await refused()).toEqual(because('an item of the marketplace'));
  await db().run(sql`update marketplace_items set published = false where course_id = ${row?.course_id ?? ''}`);
  const item = await offer(platform, { type: 'elearning', course_id: row?.course_id, title: 'Nutrition, 3', seats: 3, price_pence: 100 });
  const order = await approved(item);
  expect(await refused()).toEqual(because('an item of the marketplace and 3 licences that others have bought'));
  await db().run(sql`update marketplace_items set published = false where course_id = ${row?.course_id ?? ''}`);
  expect(await refused()).toEqual(because('3 licences that others have bought'));
  await db().run(sql`update training_licences set ended_at = now() where order_id = ${order.id}`);
  expect((await refused())[0]).toBe(204);
  expect((await manager.send('GET', `/training-orders/${order.id}/invoice?format=pdf`)).statusCode).toBe(200);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContentDocument } from '#contract/entities/content.ts';
import type { MarketplaceItem, OfferedCourse } from '#contract/entities/marketplace.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<D> = { data: D; code?: string; message?: string; errors?: Record<string, string[]>; meta?: { total: number } };
let server: TestApp;
let provider: TestClient;
let client: TestClient;
let platform: TestClient;
const brightpath = demoId('entity:brightpath');
const lifeSupport = demoId('course:Basic life support');
const place = {
  ...{ type: 'face2face', course_id: lifeSupport, title: 'Basic life support, half a day', description: 'With manikins.', price_pence: 4550 },
  ...{ vat_rate: 20, seats: 1, licence_months: null, published: true, available_to: 'all' },
};
const add = async (by: TestClient, fields: object = {}) => by.json<Answer<MarketplaceItem>>('POST', '/marketplace-items', { ...place, ...fields });
const change = (by: TestClient, id: string, fields: object) =>
  by.json<Answer<MarketplaceItem>>('PATCH', `/marketplace-items/${id}`, { ...place, ...fields });
const seen = async (by: TestClient, query = '') =>
  (await by.json<Answer<MarketplaceItem[]>>('GET', `/marketplace-items?per_page=100${query}`)).body.data.map((i) => i.title);
const found = (by: TestClient, id: string) => by.json<Answer<MarketplaceItem>>('GET', `/marketplace-items/${id}`);
/** Tables that a trial never adds to. */
const recorded = () =>
  server.database.db.one(
    sql`select (select count(*) from attempts) as attempts, (select count(*) from results) as results, (select count(*) from ledger) as ledger`,
  );

beforeAll(async () => {
  server = await startTestApp();
  [provider, client, platform] = [server.client(), server.client(), server.client()];
  await provider.signIn('admin@brightpath.test');
  await client.signIn('manager@willowbrook.test');
  await platform.signIn('super@lantern.test');
});
afterAll(() => server.close());

it('is offered to others when it is published, and without the shares', async () => {
  const { status, body } = await add(provider, { title: 'A draft', published: false });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    gross_pence: 5460,
    platform_share: 20,
    own: true,
    provider: { name: 'Brightpath Training' },
    can_be_tried: false,
  });
  expect((await found(client, body.data.id)).status).toBe(404);
  expect(await seen(client)).not.toContain('A draft');
  await change(provider, body.data.id, { title: 'No draft' });
  expect((await found(client, body.data.id)).body.data).toMatchObject({ title: 'No draft', platform_share: null, own: false, price_pence: 4550 });
  expect(await seen(client, '&type=face2face&search=manikins')).toContain('No draft');
  expect(await seen(client, '&type=elearning')).not.toContain('No draft');
  expect(await seen(provider, '&own=true')).toContain('No draft');
  expect(await seen(client, '&own=true')).toEqual([]);
});

it('for clients only, is seen by clients and organisations below them, and by nobody after they stop being clients', async () => {
  const { body } = await add(provider, { title: 'For clients', available_to: 'clients' });
  await server.database.db.run(sql`update training_clients set ended_at = now()`);
  expect((await found(client, body.data.id)).status).toBe(404);
  await server.database.db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
    values (${randomUUID()}, ${brightpath}, ${demoId('entity:group')}, ${demoId('user:admin@brightpath.test')}, now())
    on conflict (provider_id, client_id) do update set ended_at = null`);
  expect(await seen(client)).toContain('For clients');
  const other = server.client();
  await other.signIn('learner@harbourview.test');
  expect((await other.send('GET', '/marketplace-items')).statusCode).toBe(403);
  await server.database.db.run(sql`update training_clients set ended_at = now() where provider_id = ${brightpath}`);
  expect(await seen(client)).not.toContain('For clients');
});

it('is changed and deleted by its provider alone, and only a provider offers something', async () => {
  const { id } = (await add(provider, { title: 'Ours' })).body.data;
  const group = server.client();
  await group.signIn('admin@willowbrook.test');
  for (const answer of [
    await change(group, id, { title: 'Taken' }),
    await group.json<Answer<null>>('DELETE', `/marketplace-items/${id}`),
    await add(group),
  ])
    expect(answer.status).toBe(403);
  expect((await change(client, id, {})).status).toBe(403);
  expect((await found(provider, id)).body.data.title).toBe('Ours');
  expect((await provider.send('DELETE', `/marketplace-items/${id}`)).statusCode).toBe(204);
  expect((await found(provider, id)).status).toBe(404);
});

it('has the share of the platform that a super administrator sets, and no other', async () => {
  const { id } = (await add(provider, { title: 'Shared' })).body.data;
  expect(Object.keys((await change(provider, id, { platform_share: 0 })).body.errors ?? {})).toEqual(['platform_share']);
  expect((await change(platform, id, { platform_share: 15 })).body.data.platform_share).toBe(15);
  expect((await change(provider, id, { title: 'Still shared' })).body.data).toMatchObject({ title: 'Still shared', platform_share: 15 });
  expect((await add(platform, { title: 'From the platform', platform_share: 100 })).body.data).toMatchObject({ platform_share: 100 });
});

it('e-learning is of the provider’s own making, and can be tried without anything being recorded', async () => {
  const fire = { type: 'elearning', course_id: demoId('course:Fire safety'), title: 'Fire safety, 10 licences', seats: 10, licence_months: 12 };
  expect((await add(provider, fire)).body.errors?.course_id?.[0]).toContain('has made');
  const item = (await add(platform, fire)).body.data;
  expect(item.can_be_tried).toBe(true);
  const before = await recorded();
  const { body, status } = await client.json<Answer<{ lessons: unknown[]; title: string }>>('GET', `/marketplace-items/${item.id}/preview`);
  expect([status, body.data.title, body.data.lessons.length > 0]).toEqual([200, 'Fire safety', true]);
  expect(JSON.stringify(body)).not.toContain('answer_keys');
  expect(await recorded()).toEqual(before);
  await platform.json('PATCH', `/marketplace-items/${item.id}`, { ...place, ...fire, published: false });
  expect((await client.send('GET', `/marketplace-items/${item.id}/preview`)).statusCode).toBe(404);
  const { id } = (await add(provider, { title: 'Nothing to try' })).body.data;
  expect((await client.send('GET', `/marketplace-items/${id}/preview`)).statusCode).toBe(404);
});

it('a SCORM course can be tried with its package, and nothing of it becomes an attempt or a result', async () => {
  const listed = await client.json<Answer<MarketplaceItem[]>>('GET', '/marketplace-items?per_page=100&search=Nutrition');
  const item = listed.body.data.find(({ title }) => title === 'Nutrition and hydration, 5 licences');
  expect(item?.can_be_tried).toBe(true);
  const before = await recorded();
  const { body, status } = await client.json<Answer<ContentDocument>>('GET', `/marketplace-items/${item?.id}/preview`);
  const kept = await server.database.db.one<{ tree: string }>(sql`select tree from packages where id = ${demoId('package:nutrition')}`);
  expect([status, body.data.type, body.data.package?.tree]).toEqual([200, 'scorm', kept?.tree]);
  expect(body.data.package?.manifest.activities[0]?.href).toBe('enough.html');
  expect(await recorded()).toEqual(before);
  // People to whom it is not offered do not learn the address of its package.
  await server.database.db.run(sql`update marketplace_items set published = false where id = ${item?.id ?? ''}`);
  expect((await client.send('GET', `/marketplace-items/${item?.id}/preview`)).statusCode).toBe(404);
});

it('names the courses of which something can be offered, each with the kinds of training that it has', async () => {
  const offered = async (by: TestClient, query: string) =>
    (await by.json<Answer<OfferedCourse[]>>('GET', `/marketplace-courses?${query}`)).body.data?.map(({ title, types }) => [title, ...types]);
  expect(await offered(platform, 'type=elearning&search=nutrition')).toEqual([['Nutrition and hydration', 'scorm']]);
  expect(await offered(provider, 'type=elearning&search=nutrition')).toEqual([]);
  expect(await offered(provider, 'type=face2face&search=basic life')).toEqual([['Basic life support', 'face2face']]);
  expect((await client.send('GET', '/marketplace-courses?type=face2face')).statusCode).toBe(403);
  // Each of these is taken where an item is made of it.
  const { body } = await platform.json<Answer<OfferedCourse[]>>('GET', '/marketplace-courses?type=elearning&per_page=100');
  expect(body.data.length).toBeGreaterThan(2);
  for (const { id } of body.data) expect((await add(platform, { type: 'elearning', course_id: id, licence_months: 12 })).status).toBe(201);
});

it('says at the field what is wrong', async () => {
  const wrong: [string, object][] = [
    ['price_pence', { price_pence: 10.5 }],
    ['price_pence', { price_pence: -1 }],
    ['vat_rate', { vat_rate: 17 }],
    ['seats', { seats: null, licence_months: 12 }],
    ['licence_months', { type: 'elearning', seats: null, licence_months: null }],
    ['title', { title: ' ' }],
    ['course_id', { course_id: randomUUID() }],
    ['platform_share', { platform_share: 101 }],
  ];
  for (const [field, fields] of wrong) {
    const { status, body } = await add(provider, fields);
    expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 422, [field]]);
  }
});

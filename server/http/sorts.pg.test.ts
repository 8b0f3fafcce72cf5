import { afterAll, beforeAll, expect, it } from 'vitest';
import { sorts } from '#contract/api/sorts.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

let server: TestApp;
let client: TestClient;
beforeAll(async () => {
  server = await startTestApp();
  client = server.client();
  await client.signIn('super@lantern.test');
});
afterAll(() => server.close());

type Answer = { data: { id: string }[]; meta: { total: number; counts?: Record<string, number> }; errors?: Record<string, string[]> };
/** The path of every sortable list of the REST API; pathways are sorted by the graph. */
const lists: Record<Exclude<keyof typeof sorts, 'pathways'>, string> = {
  ...{ people: '/users', audit: '/audit-log', imports: '/importer/imports', h5ps: '/h5ps', contents: '/content?type=elearning', parts: '/topics' },
  ...{
    bulkEvents: '/users/bulk-add-events',
    sessions: '/training-sessions?when=all',
    bookings: '/bookings',
    entities: '/entities',
    trainers: '/trainers',
  },
  ...{
    inspections: '/inspections',
    certificates: '/care-certificates',
    courses: '/entities/willowbrook/courses',
    results: '/results?status=pending',
    marketplace: '/marketplace-items',
    orders: '/training-orders',
  },
};
const ask = (path: string, query: string) => client.json<Answer>('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
const ids = async (path: string, query: string) => {
  const { status, body } = await ask(path, query);
  expect([status, path, query]).toEqual([200, path, query]);
  return body.data.map((row) => row.id);
};

it.each(Object.entries(lists))('%s can be sorted by what the contract names, both ways round, and by nothing else', async (name, path) => {
  for (const by of sorts[name as keyof typeof sorts]) {
    const up = await ids(path, `per_page=100&sort=${by}`);
    expect(await ids(path, `per_page=100&sort=-${by}`)).toEqual(up.toReversed());
    expect([...(await ids(path, `per_page=5&sort=${by}`)), ...(await ids(path, `per_page=5&page=2&sort=${by}`))]).toEqual(up.slice(0, 10));
  }
  for (const wrong of ['shoe_size', '-', '', 'name; drop table users', '--name', 'constructor']) {
    const { status, body } = await ask(path, `sort=${encodeURIComponent(wrong)}`);
    expect([wrong, status, Object.keys(body.errors ?? {})]).toEqual([wrong, 422, ['sort']]);
  }
});

it('people are sorted as requested and counted by current and former', async () => {
  const names = async (query: string) => (await client.json<{ data: { name: string }[] }>('GET', `/users?${query}`)).body.data.map((u) => u.name);
  const down = await names('sort=-name');
  expect(down).toEqual(down.toSorted((a, b) => (a < b ? 1 : -1)));
  expect(await names('search=khan&sort=-name')).toEqual((await names('search=khan')).toReversed());
  const before = (await ask('/users', 'state=active')).body.meta;
  expect(before.counts).toEqual({ '': before.total + (before.counts?.left ?? 0), active: before.total, left: before.counts?.left });
  const [someone] = await ids('/users', 'state=active&search=khan');
  expect((await client.json('PATCH', `/users/${someone}`, { disabled: true })).status).toBe(200);
  const after = (await ask('/users', 'search=khan')).body.meta;
  expect(after.counts).toEqual({ '': after.total, active: after.total - 1, left: 1 });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { permissionIdOf, type PermissionSlug } from '#contract/permissions.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { schemaOf } from '#server/http/open-api.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Fields = Record<string, unknown>;
type Row = Fields & { id: string };
type Answer<D> = { data: D; meta: { total: number; last_page: number }; code?: string; errors?: Record<string, string[]> };
type Resource = {
  /** What `resource` answers. */
  calls: readonly Endpoint[];
  /** The nth one that is added; from 0, and three of them. `word` is in what the search looks at. */
  body: (n: number, word: string) => Fields;
  /** Makes what they need. */
  before?: (db: Db, word: string) => Promise<void>;
  /** What of it is changed, and bodies that are refused, by the field that is named. */
  changed: Fields;
  refused: Record<string, Fields>;
  /** Somebody who may write, and somebody of an unrelated organisation who may do everything there. */
  writer?: string;
  outsider?: string;
};

/** Every resource does what `resource` declares: one suite for all of them. */
export const testResource = ({
  calls,
  before,
  body,
  changed,
  refused,
  writer = 'admin@willowbrook.test',
  outsider = 'admin@brightpath.test',
}: Resource) => {
  const [list, , create] = calls as readonly [Endpoint, Endpoint, Endpoint];
  const { path } = list;
  describe(path, () => {
    let server: TestApp;
    let own: TestClient;
    let other: TestClient;
    const word = 'Zephyr';
    const made: Row[] = [];
    const ask = async (client: TestClient, query: string) => (await client.json<Answer<Row[]>>('GET', `${path}?${query}`)).body;
    const one = (client: TestClient, method: string, id: string, data?: Fields) => client.json<Answer<Row>>(method, `${path}/${id}`, data);
    beforeAll(async () => {
      server = await startTestApp();
      await before?.(server.database.db, word);
      [own, other] = [server.client(), server.client()];
      await own.signIn(writer);
      await other.signIn(outsider);
    });
    afterAll(() => server.close());

    it('is added, read, and changed; what does not fit is refused by its field', async () => {
      for (const n of [0, 1, 2]) {
        const { status, body: answer } = await own.json<Answer<Row>>('POST', path, body(n, word));
        expect([status, answer.errors]).toEqual([201, undefined]);
        made.push(answer.data);
      }
      const [first] = made as [Row];
      expect((await one(own, 'GET', first.id)).body.data).toEqual(first);
      for (const [field, wrong] of Object.entries(refused)) {
        const { status, body: answer } = await own.json<Answer<Row>>('POST', path, { ...body(0, word), ...wrong });
        expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
      }
      const { status, body: answer } = await one(own, 'PATCH', first.id, { ...body(0, word), ...changed });
      expect([status, answer.data]).toMatchObject([200, changed]);
      expect((await one(own, 'GET', first.id)).body.data).toEqual(answer.data);
    });

    it('is listed in pages, found by a word, and sorted both ways by what the contract names, and by nothing else', async () => {
      const all = await ask(own, `search=${word.toLowerCase()}`);
      expect([all.meta.total, all.data.map((r) => r.id).toSorted()]).toEqual([3, made.map((r) => r.id).toSorted()]);
      expect((await ask(own, 'search=%25nothing of this%25')).data).toEqual([]);
      const pages = await Promise.all([1, 2, 3].map((page) => ask(own, `search=${word}&per_page=1&page=${page}`)));
      expect(pages.map((p) => p.data[0]?.id)).toEqual(all.data.map((r) => r.id));
      expect(pages[0]?.meta).toMatchObject({ total: 3, last_page: 3 });
      const query = list.query ? (schemaOf(list.query, 'input').properties as { sort?: { enum?: string[] } }) : {};
      const sorts = (query.sort?.enum ?? []).filter((s) => !s.startsWith('-'));
      expect(sorts).not.toEqual([]);
      for (const sort of sorts) {
        const up = (await ask(own, `search=${word}&sort=${sort}`)).data.map((r) => r.id);
        expect(up).toHaveLength(3);
        expect((await ask(own, `search=${word}&sort=-${sort}`)).data.map((r) => r.id)).toEqual(up.toReversed());
      }
      expect(Object.keys((await ask(own, 'sort=shoe_size')).errors ?? {})).toEqual(['sort']);
    });

    it('is not there for another organisation, whatever they may do in theirs', async () => {
      const [first] = made as [Row];
      expect(await ask(other, `search=${word}`)).toMatchObject({ data: [], meta: { total: 0 } });
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect([method, (await one(other, method, first.id, method === 'PATCH' ? body(0, word) : undefined)).status]).toEqual([method, 404]);
      expect((await one(own, 'GET', first.id)).body.data).toMatchObject(changed);
    });

    it('is changed by nobody without the permission, and only by those with it', async () => {
      const [first] = made as [Row];
      const person = server.client();
      const { uuid } = await person.signIn('learner@willowbrook.test');
      const statuses = async () => [
        (await person.send('GET', path)).statusCode,
        (await one(person, 'GET', first.id)).status,
        (await person.send('POST', path, {})).statusCode,
        (await one(person, 'PATCH', first.id, {})).status,
        (await one(person, 'DELETE', '00000000-0000-4000-8000-000000000000')).status,
      ];
      expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
      const [need] = create.access as readonly PermissionSlug[];
      const id = permissionIdOf(need as PermissionSlug);
      await server.database.db.run(sql`insert into user_permissions (user_id, permission_id) values (${uuid}, ${id})`);
      // Who somebody is, is known for some seconds.
      server.clock.now = new Date(server.clock.now.getTime() + 60_000);
      const given = await statuses();
      expect(given.filter((status) => status === 403)).toEqual([]);
      expect(given.slice(2)).toEqual([422, given[3], 404]);
    });

    it('is deleted, once; each change has its line in the audit log', async () => {
      for (const { id } of made) expect((await one(own, 'DELETE', id)).status).toBe(204);
      const [first] = made as [Row];
      expect([(await one(own, 'GET', first.id)).status, (await one(own, 'DELETE', first.id)).status]).toEqual([404, 404]);
      const log = await server.database.db.all<{ action: string; before: Fields | null; after: Fields | null }>(
        sql`select action, before, after from audit_log where subject_id = ${first.id} order by at, case action when 'created' then 0 when 'updated' then 1 else 2 end`,
      );
      expect(log.map((l) => l.action)).toEqual(['created', 'updated', 'deleted']);
      const [added, update, removed] = log;
      expect([added?.before, removed?.after]).toEqual([null, null]);
      expect(Object.keys(update?.after ?? {})).toEqual(expect.arrayContaining(Object.keys(changed)));
      expect(removed?.before).toMatchObject(changed);
    });
  });
};

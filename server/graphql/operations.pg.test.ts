import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { graphSchema } from '#server/features.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Paged<T> = { data: T[]; paginatorInfo: { total: number; lastPage: number } };
type Person = { id: string; uuid: string; name: string; disabled_at: string | null; role: { name: string } | null; courses: { overdue: number } };
type Organisation = { id: string; name: string; slug: string; depth: number; code: string | null; parent: { slug: string } | null };
type Answer<T> = { data: T; errors?: { message: string; extensions: { code: string; errors?: Record<string, string[]> } }[] };
const person = (email: string) => demoId(`user:${email}`);

describe('people, organisations, job roles, user types and contents by GraphQL', () => {
  let server: TestApp;
  let admin: TestClient;
  let learner: TestClient;
  let outsider: TestClient;
  let house: string;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, learner, outsider] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('learner@willowbrook.test'),
      await signedIn('admin@brightpath.test'),
    ];
    house = (await server.database.db.one<{ id: string }>(sql`select id from entities where slug = 'willowbrook-house'`))?.id as string;
  });
  afterAll(() => server.close());
  const ask = async <T>(client: TestClient, query: string, variables: object = {}) =>
    (await client.json<Answer<T>>('POST', '/graphql', { query, variables })).body;
  const refusal = ({ errors }: Answer<unknown>) => errors?.[0]?.extensions;
  const audited = async (kind: string, action: string) =>
    (
      await server.database.db.all<{ name: string }>(
        sql`select subject_name as name from audit_log where subject_kind = ${kind} and action = ${action} order by at desc`,
      )
    ).map((a) => a.name);

  it('has the operations that the specification names', () => {
    const queries =
      'bookings booking training_sessions contents courses matrix pathways results pendingResults users user me entities roles types helpArticles eventCounts activeEvents completedEvents';
    const mutations =
      'cancelBooking upsertBooking upsertTrainingSession completeTrainingSession updateDelegate copyDelegates allocatePathway upsertPathway approvePendingResult createUser updateUser upsertEntity updateTrainingCompany';
    expect(Object.keys(graphSchema.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining(queries.split(' ')));
    expect(Object.keys(graphSchema.getMutationType()?.getFields() ?? {})).toEqual(expect.arrayContaining(mutations.split(' ')));
  });

  it('lists people as the REST call does, in pages', async () => {
    const rest = (await admin.json<{ data: Person[]; meta: { total: number } }>('GET', '/users?per_page=3&page=2')).body;
    const { data } = await ask<{ users: Paged<Person> }>(
      admin,
      '{ users(first: 3, page: 2) { data { id uuid name role { name } courses { overdue } } paginatorInfo { total lastPage } } }',
    );
    expect(data.users.data.map((p) => [p.id, p.uuid, p.role?.name, p.courses.overdue])).toEqual(
      rest.data.map((p) => [p.id, p.uuid, p.role?.name, p.courses.overdue]),
    );
    expect(data.users.paginatorInfo).toEqual({ total: rest.meta.total, lastPage: Math.ceil(rest.meta.total / 3) });
    const one = await ask<{ user: Person }>(learner, `{ user(id: "${person('learner@willowbrook.test')}") { name } }`);
    expect(one.data.user.name).toBe('Amara Okafor');
    for (const id of [person('manager@willowbrook.test'), person('learner@willowbrook.test')])
      expect(refusal(await ask(outsider, `{ user(id: "${id}") { name } }`))?.code).toBe('not_found');
  });

  it('adds and changes a person by the permissions of the REST calls, with the audit log', async () => {
    const create = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id name has_password role { name } } }';
    const update = 'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { name disabled_at type { name } } }';
    const input = {
      name: 'Graph Person',
      email: 'graph@willowbrook.test',
      primary_entity_id: house,
      role_id: demoId('role:group:care'),
    };
    const { role_id: _, ...withoutRole } = input;
    expect(refusal(await ask(learner, create, { input: withoutRole }))?.code).toBe('forbidden');
    expect(refusal(await ask(admin, create, { input: { ...input, email: 'nowhere' } }))).toMatchObject({
      code: 'invalid_input',
      errors: { email: [expect.any(String)] },
    });
    expect(refusal(await ask(outsider, create, { input }))?.code).toBe('invalid_input');
    const made = await ask<{ createUser: Person & { has_password: boolean } }>(admin, create, { input });
    expect(made.data.createUser).toMatchObject({ name: 'Graph Person', has_password: false, role: { name: 'Care assistant' } });
    const { id } = made.data.createUser;
    expect(refusal(await ask(outsider, update, { input: { id, name: 'Taken' } }))?.code).toBe('not_found');
    expect(refusal(await ask(learner, update, { input: { id: person('learner@willowbrook.test'), disabled: true } }))?.code).toBe('forbidden');
    expect(refusal(await ask(admin, update, { input: { id } }))).toMatchObject({
      code: 'invalid_input',
      errors: { body: ['Change at least one field.'] },
    });
    const changed = await ask<{ updateUser: Person }>(admin, update, { input: { id, name: 'Graph Leaver', disabled: true } });
    expect(changed.data.updateUser).toMatchObject({ name: 'Graph Leaver', disabled_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT/) });
    expect(await audited('user', 'created')).toContain('Graph Person');
    expect((await audited('user', 'updated'))[0]).toBe('Graph Leaver');
  });

  it('lists, adds and changes organisations by the permissions of the REST calls', async () => {
    const rest = (await admin.json<{ data: Organisation[] }>('GET', '/entities?per_page=100')).body.data;
    const listed = await ask<{ entities: Paged<Organisation> }>(admin, '{ entities(first: 100) { data { id slug depth parent { slug } } } }');
    expect(listed.data.entities.data.map((e) => [e.slug, e.depth])).toEqual(rest.map((e) => [e.slug, e.depth]));
    const upsert = 'mutation ($input: EntityInput!) { upsertEntity(input: $input) { id name slug code parent { slug } } }';
    const input = { name: 'Graph House', level: 'B', parent_id: rest.find((e) => e.slug === 'willowbrook')?.id };
    expect(refusal(await ask(learner, upsert, { input }))?.code).toBe('forbidden');
    expect(refusal(await ask(outsider, upsert, { input }))).toMatchObject({ code: 'invalid_input', errors: { parent_id: [expect.any(String)] } });
    expect(refusal(await ask(admin, upsert, { input: { name: 'No level' } }))).toMatchObject({
      code: 'invalid_input',
      errors: { level: [expect.any(String)] },
    });
    const made = await ask<{ upsertEntity: Organisation }>(admin, upsert, { input });
    expect(made.data.upsertEntity).toMatchObject({ slug: 'graph-house', parent: { slug: 'willowbrook' } });
    const { id } = made.data.upsertEntity;
    expect(refusal(await ask(outsider, upsert, { input: { id, name: 'Taken' } }))?.code).toBe('not_found');
    const changed = await ask<{ upsertEntity: Organisation }>(admin, upsert, {
      input: { id, code: 'GH', password_requirements: { min_length: 12, mixed_case: true, number: true, symbol: false } },
    });
    expect(changed.data.upsertEntity).toMatchObject({ name: 'Graph House', code: 'GH' });
    const one = await ask<{ entity: object }>(admin, '{ entity(id: "graph-house") { code password_requirements { min_length } above { slug } } }');
    expect(one.data.entity).toEqual({ code: 'GH', password_requirements: { min_length: 12 }, above: [{ slug: 'willowbrook' }] });
    expect([(await audited('entity', 'created'))[0], (await audited('entity', 'updated'))[0]]).toEqual(['Graph House', 'Graph House']);
  });

  it('lists job roles, user types and contents; without the permission none of them', async () => {
    const query =
      '{ roles { data { name courses entity { slug } } paginatorInfo { total } } types(entity: "willowbrook-house") { data { name permissions } } contents(first: 5, type: elearning) { data { title type course { title } } } }';
    const { data } = await ask<{
      roles: Paged<{ name: string; courses: number }>;
      types: Paged<{ name: string; permissions: number[] }>;
      contents: Paged<{ title: string; type: string; course: { title: string } }>;
    }>(admin, query);
    const rest = (await admin.json<{ data: { name: string; courses: number }[] }>('GET', '/entities/willowbrook/roles')).body.data;
    expect(data.roles.data.map((r) => [r.name, r.courses])).toEqual(rest.slice(0, 10).map((r) => [r.name, r.courses]));
    expect(data.types.data.find((t) => t.name === 'Administrator')?.permissions.length).toBeGreaterThan(5);
    expect(data.contents.data.length).toBe(5);
    expect(data.contents.data.every((c) => c.type === 'elearning' && c.course.title !== '')).toBe(true);
    for (const field of ['roles { data { name } }', 'types { data { name } }', 'contents { data { title } }', 'entities { data { name } }'])
      expect(refusal(await ask(learner, `{ ${field} }`))?.code, field).toBe('forbidden');
    expect(refusal(await ask(outsider, '{ roles(entity: "willowbrook-house") { data { name } } }'))?.code).toBe('not_found');
  });

  it('refuses text that cannot be an address or a search, and never fails over it', async () => {
    for (const text of ['\u0000', '\ud800', 'x'.repeat(5000), "' or 1=1 --"])
      for (const [operation, field] of [
        ['query ($text: String!) { roles(entity: $text) { data { id } } }', 'roles'],
        ['query ($text: String!) { types(entity: $text) { data { id } } }', 'types'],
        ['query ($text: String!) { entity(id: $text) { id } }', 'entity'],
        ['query ($text: String!) { users(search: $text) { data { id } } }', 'users'],
        ['query ($text: String!) { entities(search: $text) { data { id } } }', 'entities'],
        ['query ($text: String!) { contents(search: $text) { data { id } } }', 'contents'],
        ['mutation ($text: String!) { createUser(input: { name: $text, email: $text, primary_entity_id: $text }) { id } }', 'createUser'],
        ['mutation ($text: String!) { upsertEntity(input: { name: $text, level: $text, parent_id: null }) { id } }', 'upsertEntity'],
      ] as const)
        expect(['internal', 'unavailable'], `${field}: ${JSON.stringify(text).slice(0, 20)}`).not.toContain(
          refusal(await ask(admin, operation, { text }))?.code,
        );
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { addDays, endOfDay, startOfDay } from '#contract/rules/days.ts';
import { sql } from '#server/db/sql.ts';
import { doneByLatest, stepsDone } from '#server/features/pathways/steps.rows.ts';
import { packedStandingsOf } from '#server/features/results/standings.rows.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const day = 86_400_000;
const course = (title: string) => demoId(`course:${title}`);
const amara = demoId('user:learner@willowbrook.test');
const care = demoId('role:group:care');

type Answer = { data: Record<string, never> | null; errors?: { message: string; extensions: { code: string; errors?: Record<string, string[]> } }[] };
describe('pathways', () => {
  let server: TestApp;
  let admin: TestClient;
  let manager: TestClient;
  let learner: TestClient;
  const as = async (email: string): Promise<TestClient> => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const signInAll = async () => {
    admin = await as('admin@willowbrook.test');
    manager = await as('manager@willowbrook.test');
    learner = await as('learner@willowbrook.test');
  };
  beforeAll(async () => {
    server = await startTestApp();
    await signInAll();
  });
  afterAll(() => server.close());
  const ask = async (who: TestClient, query: string, variables: object = {}): Promise<Answer> =>
    (await who.send('POST', '/graphql', { query, variables })).json() as Answer;
  const save = (who: TestClient, input: object) =>
    ask(
      who,
      'mutation ($input: PathwayInput!) { upsertPathway(input: $input) { id name editable steps { course_title within_days } entity { slug } } }',
      { input },
    );
  const give = (who: TestClient, variables: object) =>
    ask(
      who,
      'mutation ($pathway_id: ID!, $kind: PathwayAllocationKind!, $ids: [ID!]!, $allocated: Boolean) { allocatePathway(pathway_id: $pathway_id, kind: $kind, allocation_ids: $ids, allocated: $allocated) { id } }',
      variables,
    );
  const made = async (name: string, more: object = {}): Promise<string> => {
    const { data, errors } = await save(admin, {
      name,
      steps: [{ course_id: course('Dementia awareness'), within_days: 14 }, { course_id: course('Fire safety') }],
      ...more,
    });
    expect(errors).toBeUndefined();
    return (data as never as { upsertPathway: { id: string } }).upsertPathway.id;
  };
  const walk = async (who: TestClient, id: string) => {
    const { data, errors } = await ask(
      who,
      'query ($id: ID!) { pathway(id: $id) { mine { since steps { course_title state due_on } } progress { people finished done steps } people(first: 100) { data { name allocation_id } paginatorInfo { total } } allocations { user { name } role { name } } } }',
      { id },
    );
    return { errors, ...(data as never as { pathway: Record<string, never> } | null)?.pathway } as never as {
      errors?: Answer['errors'];
      mine: { since: string; steps: { course_title: string; state: string; due_on: string | null }[] } | null;
      progress: { people: number; finished: number; done: number; steps: number };
      people: { data: { name: string; allocation_id: string | null }[]; paginatorInfo: { total: number } };
      allocations: { user: { name: string } | null; role: { name: string } | null }[];
    };
  };

  it('keeps the order of the steps, and refuses what is not a pathway, field by field', async () => {
    const { data } = await save(admin, {
      name: 'In order',
      entity: 'willowbrook-house',
      steps: ['Safeguarding adults', 'Fire safety', 'Data protection'].map((t) => ({ course_id: course(t) })),
    });
    expect(data?.upsertPathway).toMatchObject({
      entity: { slug: 'willowbrook-house' },
      steps: [{ course_title: 'Safeguarding adults' }, { course_title: 'Fire safety' }, { course_title: 'Data protection' }],
    });
    const refused = async (input: object) => (await save(admin, input)).errors?.[0]?.extensions;
    expect(await refused({ name: ' ', steps: [] })).toMatchObject({
      code: 'invalid_input',
      errors: { name: ['Enter a name.'], steps: ['Add at least one course.'] },
    });
    expect((await refused({ name: 'Twice', steps: [{ course_id: course('Fire safety') }, { course_id: course('Fire safety') }] }))?.errors).toEqual({
      steps: ['Each course can be added only once.'],
    });
    expect((await refused({ name: 'Foreign', steps: [{ course_id: demoId('no such course') }] }))?.errors?.steps?.[0]).toMatch(
      /^Choose courses that .* has\.$/,
    );
    await made('Only once');
    expect((await refused({ name: 'only ONCE', steps: [{ course_id: course('Fire safety') }] }))?.errors).toEqual({
      name: ['There is a pathway of this name already.'],
    });
    expect((await save(learner, { name: 'Mine', steps: [{ course_id: course('Fire safety') }] })).errors?.[0]?.extensions.code).toBe('forbidden');
  });

  it('asks nobody for a step whose course was removed, and has it again once the course is back', async () => {
    const { db } = server.database;
    const id = await made('Removed from');
    await give(admin, { pathway_id: id, kind: 'user', ids: [amara] });
    const fire = course('Fire safety');
    const links = await db.all<{ entity_id: string }>(sql`delete from entity_courses where course_id = ${fire} returning entity_id`);
    const owner = await db.one<{ entity_id: string }>(sql`select entity_id from courses where id = ${fire}`);
    await db.run(sql`update courses set entity_id = (select id from entities where slug = 'harbour-view') where id = ${fire}`);
    const without = await walk(admin, id);
    expect([without.progress.people, without.progress.steps]).toEqual([1, 1]);
    expect((await walk(learner, id)).mine?.steps.map((s) => s.course_title)).toEqual(['Dementia awareness']);
    // The form of the pathway does not show the step, and saving does not lose it.
    const saved = await save(admin, { id, name: 'Removed from', steps: [{ course_id: course('Dementia awareness') }] });
    expect(saved.data?.upsertPathway).toMatchObject({ steps: [{ course_title: 'Dementia awareness' }] });
    await db.run(sql`update courses set entity_id = ${owner?.entity_id ?? null} where id = ${fire}`);
    for (const { entity_id } of links) await db.run(sql`insert into entity_courses (entity_id, course_id) values (${entity_id}, ${fire})`);
    expect((await walk(learner, id)).mine?.steps.map((s) => s.course_title)).toEqual(['Dementia awareness', 'Fire safety']);
    expect((await walk(admin, id)).progress.steps).toBe(2);
    await give(admin, { pathway_id: id, kind: 'user', ids: [amara], allocated: false });
  });

  it('reaches people with the job role, brings its courses to their home, and a completed step stays completed', async () => {
    const id = await made('New carers');
    expect((await walk(learner, id)).errors?.[0]?.extensions.code).toBe('not_found');
    expect((await give(admin, { pathway_id: id, kind: 'role', ids: [care] })).errors).toBeUndefined();

    const before = await walk(learner, id);
    const today = server.clock.now.toISOString().slice(0, 10);
    expect(before.mine?.since).toBe(today);
    expect(before.mine?.steps.map((s) => s.course_title)).toEqual(['Dementia awareness', 'Fire safety']);
    // A colleague sees nobody else's progress.
    expect(before.people.data.map((p) => p.name)).toEqual(['Amara Okafor']);
    expect(before.allocations).toEqual([]);
    const all = await walk(admin, id);
    expect(all.allocations).toEqual([{ user: null, role: { name: 'Care assistant' } }]);
    expect(all.people.paginatorInfo.total).toBe(all.progress.people);
    expect(all.progress.people).toBeGreaterThan(20);
    expect(all.progress.steps).toBe(2 * all.progress.people);
    expect((await walk(manager, id)).people.paginatorInfo.total).toBeLessThan(all.progress.people);

    // Not required by her job role: it is on her home because it is a step.
    const { db } = server.database;
    await db.run(sql`delete from compliance where course_id = ${course('Dementia awareness')}`);
    await forgetResults(db, sql`user_id = ${amara} and course_id = ${course('Dementia awareness')}`);
    const home = async () =>
      (
        (await ask(learner, '{ activeEvents(first: 100) { data { course_title status due_at pathway reason } } }')).data as never as {
          activeEvents: { data: { course_title: string; status: string; due_at: string; pathway: string | null; reason: string }[] };
        }
      ).activeEvents.data.find((e) => e.course_title === 'Dementia awareness');
    const due = endOfDay(addDays(today, 14), 'Europe/London');
    expect(await home()).toMatchObject({
      status: 'current',
      pathway: 'New carers',
      due_at: due,
      reason: expect.stringContaining('step of the pathway “New carers”'),
    });
    expect((await walk(learner, id)).mine?.steps[0]).toMatchObject({ state: 'due', due_on: due.slice(0, 10) });
    server.clock.now = new Date(server.clock.now.getTime() + 15 * day);
    await signInAll();
    expect((await walk(learner, id)).mine?.steps[0]?.state).toBe('late');
    expect((await home())?.status).toBe('overdue');

    await db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
      values (gen_random_uuid(), ${amara}, ${course('Dementia awareness')}, 'face2face', ${server.clock.now}, ${new Date(server.clock.now.getTime() + day)})`);
    server.clock.now = new Date(server.clock.now.getTime() + 2 * day);
    await signInAll();
    expect((await walk(learner, id)).mine?.steps[0]?.state).toBe('done');
    expect(await home()).toBeUndefined();
  });

  it('is the same question for a person and for a pathway', async () => {
    const id = await made('Both ways');
    await give(admin, { pathway_id: id, kind: 'role', ids: [care, demoId('role:group:cook')] });
    await give(admin, { pathway_id: id, kind: 'user', ids: [amara, demoId('user:manager@willowbrook.test')] });
    const { db } = server.database;
    const forth = await db.all(sql`select user_id, since from people_on(${id}) order by 1`);
    const back = await db.all(
      sql`select u.id as user_id, w.since from users u cross join lateral pathways_of(u.id) w where w.pathway_id = ${id} order by 1`,
    );
    expect(forth.length).toBeGreaterThan(20);
    expect(back).toEqual(forth);
  });

  it('reads from the kept standings what the results say, whatever somebody has done', async () => {
    const { db } = server.database;
    const since = ['2026-03-01', '2026-06-01', '2026-09-01'];
    const people = await db.all<{ id: string; zone: string }>(
      sql`select u.id, e.time_zone as zone from users u join entities e on e.id = u.primary_entity_id where u.disabled_at is null order by u.id limit 12`,
    );
    const courses = await db.all<{ id: string; no: number }>(sql`select id, no from courses order by no limit 6`);
    // Instants around the days: at their beginnings, before, after, and a fraction of a second later.
    const at = since.flatMap((day) => [0, -1, 1].map((days) => new Date(startOfDay(addDays(day, days), 'Europe/London'))));
    const instants = [...at, ...at.map((i) => new Date(i.getTime() + 400)), ...at.map((i) => new Date(i.getTime() - 600))].toSorted(
      (a, b) => +a - +b,
    );
    let state = 7;
    const some = (count: number) => {
      state = (state * 48271) % 2147483647;
      return state % count;
    };
    const rows = people.flatMap(({ id }) =>
      courses.flatMap((c) =>
        Array.from({ length: some(4) }, () => {
          const from = some(instants.length - 1);
          const until = some(4) === 0 ? null : instants[from + 1 + some(instants.length - from - 1)];
          return { user_id: id, course_id: c.id, completed_at: instants[from], expires_at: until };
        }),
      ),
    );
    await forgetResults(db, sql`user_id = any(${people.map((p) => p.id)}::uuid[]) and course_id = any(${courses.map((c) => c.id)}::uuid[])`);
    await db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
      select gen_random_uuid(), r.user_id, r.course_id, 'face2face', r.completed_at, r.expires_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (user_id uuid, course_id uuid, completed_at timestamptz, expires_at timestamptz)`);
    const steps = people.flatMap(({ id, zone }) =>
      courses.flatMap((c) =>
        since.map((day) => ({ user_id: id, course_id: c.id, course_no: c.no, since: day, since_seconds: Date.parse(startOfDay(day, zone)) / 1000 })),
      ),
    );
    const standings = await packedStandingsOf(
      db,
      people.map((p) => p.id),
    );
    const numbered = JSON.stringify(steps.map((step, n) => ({ ...step, n })));
    const asked = await db.all<{ done: boolean }>(sql`select step_done_at(s.user_id, s.course_id, s.since) is not null as done
      from jsonb_to_recordset(${numbered}::jsonb) as s (user_id uuid, course_id uuid, since date, n int) order by s.n`);
    const done = await stepsDone(db, steps, standings);
    expect(done).toEqual(asked.map((a) => a.done));
    const known = steps.map((s) => doneByLatest(standings.get(s.user_id), s.course_no, s.since_seconds));
    expect([known.includes(true), known.includes(false), known.includes(null), done.includes(true), done.includes(false)]).toEqual(
      Array(5).fill(true),
    );
  });

  it('is given by a manager to their own people, but only by its makers to a job role; taking it away leaves what was done', async () => {
    const id = await made('From above');
    const refused = await give(manager, { pathway_id: id, kind: 'role', ids: [care] });
    expect(refused.errors?.[0]?.extensions.code).toBe('forbidden');
    expect((await give(manager, { pathway_id: id, kind: 'user', ids: [amara] })).errors).toBeUndefined();
    expect((await walk(learner, id)).mine?.steps).toHaveLength(2);
    expect((await walk(manager, id)).people.data).toEqual([{ name: 'Amara Okafor', allocation_id: expect.any(String) }]);
    // People of another service cannot be added here.
    const stranger = demoId('user:gareth.pugh@willowbrook.test');
    expect(
      (await give(manager, { pathway_id: id, kind: 'user', ids: [amara, stranger] })).errors?.[0]?.extensions.errors?.allocation_ids?.[0],
    ).toMatch(/^Choose people of/);
    // Nor can leavers, though their allocation can still be removed.
    const { db } = server.database;
    const grace = demoId('user:grace.adeyemi@willowbrook.test');
    await give(manager, { pathway_id: id, kind: 'user', ids: [grace] });
    await db.run(sql`update users set disabled_at = now() where id = ${grace}`);
    expect((await give(manager, { pathway_id: id, kind: 'user', ids: [grace], allocated: false })).errors).toBeUndefined();
    expect((await give(manager, { pathway_id: id, kind: 'user', ids: [grace] })).errors?.[0]?.extensions.errors?.allocation_ids?.[0]).toMatch(
      /^Choose people of/,
    );
    await db.run(sql`update users set disabled_at = null where id = ${grace}`);
    await give(manager, { pathway_id: id, kind: 'user', ids: [amara], allocated: false });
    expect((await walk(learner, id)).errors?.[0]?.extensions.code).toBe('not_found');
    const log = await server.database.db.all<{ action: string; before: object; after: object }>(
      sql`select action, before, after from audit_log where subject_id = ${id} order by at, id`,
    );
    expect(log.map((l) => l.action)).toEqual(expect.arrayContaining(['created', 'granted', 'revoked']));
    // Of the same moment: in no order.
    expect(log.filter((l) => l.action === 'granted').map((l) => l.after)).toEqual(
      expect.arrayContaining([{ people: ['Amara Okafor'] }, { people: ['Grace Adeyemi'] }]),
    );
  });

  it('are listed in the order that is asked for, by name where none is', async () => {
    for (const name of ['alpha', 'Zulu', 'Mike']) await made(name);
    const listed = async (sort: string) => {
      const found = (await ask(admin, 'query ($sort: String) { pathways(first: 100, sort: $sort) { data { name } } }', { sort })).data;
      return (found as unknown as { pathways: { data: { name: string }[] } }).pathways.data
        .map((p) => p.name)
        .filter((n) => ['alpha', 'Zulu', 'Mike'].includes(n));
    };
    expect(await listed('name')).toEqual(['alpha', 'Mike', 'Zulu']);
    expect(await listed('-name')).toEqual(['Zulu', 'Mike', 'alpha']);
    expect(await listed('what is none')).toEqual(['alpha', 'Mike', 'Zulu']);
  });

  it('belongs to its organisation: another finds, changes and deletes nothing', async () => {
    const id = await made('Ours');
    const outsider = await as('admin@brightpath.test');
    expect((await walk(outsider, id)).errors?.[0]?.extensions.code).toBe('not_found');
    expect((await save(outsider, { id, name: 'Theirs', steps: [{ course_id: course('Fire safety') }] })).errors?.[0]?.extensions.code).toBe(
      'not_found',
    );
    expect((await ask(outsider, 'mutation ($id: ID!) { deletePathway(id: $id) }', { id })).errors?.[0]?.extensions.code).toBe('not_found');
    const names = JSON.stringify((await ask(outsider, '{ pathways(first: 100) { data { name } } }')).data);
    expect(names).not.toContain('Ours');
    // People who see it and may not change courses cannot change it either.
    expect((await ask(manager, 'mutation ($id: ID!) { deletePathway(id: $id) }', { id })).errors?.[0]?.extensions.code).toBe('forbidden');
    expect((await ask(admin, 'mutation ($id: ID!) { deletePathway(id: $id) }', { id })).errors).toBeUndefined();
    expect((await walk(admin, id)).errors?.[0]?.extensions.code).toBe('not_found');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCourseRules } from '#contract/api/compliance.ts';
import type { Compliance, CourseRules, PersonCompliance, RuleEffect } from '#contract/entities/compliance.ts';
import type { Job } from '#contract/entities/job.ts';
import { addDays, addMonths, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { redate, redateJob } from '#server/features/results/redating.service.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; meta?: { existingResult?: number; datingAnew?: number }; errors: Record<string, string[]> };
const care = demoId('role:group:care');
const amara = demoId('user:learner@willowbrook.test');

describe('what an organisation says of its courses', () => {
  let server: TestApp;
  let admin: TestClient;
  let rival: TestClient;
  const ids = { lower: randomUUID(), higher: randomUUID(), theory: randomUUID(), practical: randomUUID() };
  const { lower, higher, theory, practical } = ids;
  beforeAll(async () => {
    server = await startTestApp();
    const group = sql`(select id from entities where slug = 'willowbrook')`;
    for (const [name, id] of Object.entries(ids))
      await server.database.db.run(
        sql`insert into courses (id, title, short_title, renewal_months, published, entity_id) values (${id}, ${`Moving ${name}`}, 'M', 12, true, ${group})`,
      );
    await server.database.db.run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${care}, ${lower}, 'primary')`);
    [admin, rival] = [server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
    await rival.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());

  const path = (course: string = lower, slug = 'willowbrook') => `/entities/${slug}/courses/${course}/rules`;
  const change = (body: object, by = admin, of = path()) => by.json<Answer<CourseRules>>('PATCH', of, body);
  const preview = async (body: object, of = path()) =>
    (
      await admin.json<Answer<RuleEffect>>('POST', `${of}/preview`, {
        ...{ renewal_months: 12, renewal_kind: 'rolling', renewal_window: 0, renewal_on: null },
        ...{ alternative_ids: [], parts: null, update_previous_results: false },
        ...body,
      })
    ).body;
  const standing = async () =>
    (await admin.json<Answer<PersonCompliance[]>>('GET', `/users/${amara}/compliant-courses`)).body.data.find((c) => c.course_id === lower);
  const record = (course_id: string, daysAgo: number, more: object = {}) =>
    recordResults(
      server.database.db,
      [{ user_id: amara, course_id, type: 'face2face', origin: 'manual', completed: addDays(today(), -daysAgo), ...more }],
      server.clock.now,
    );
  const today = () => dayIn(server.clock.now, 'Europe/London');
  const remove = (course_id: string) =>
    server.database.db.run(sql`update results set status = 'deleted' where course_id = ${course_id} and status = 'approved'`);

  it('lets a higher level count for a lower one, there and below, and says so', async () => {
    expect((await standing())?.status).toBe('missing');
    await record(higher, 30);
    expect((await standing())?.status).toBe('missing');
    expect((await preview({ alternative_ids: [higher] })).data.turns).toMatchObject({ green: 1, red: 0 });
    const { body } = await change({ alternative_ids: [higher] });
    expect(getCourseRules.response.safeParse(body.data).error).toBeUndefined();
    expect(body.data.alternatives).toEqual([{ id: higher, name: 'Moving higher' }]);
    expect(await standing()).toMatchObject({
      status: 'in_date',
      reason: expect.stringMatching(/^Completed on \d\d\/\d\d\/\d{4} by “Moving higher”, which counts as well, in date until/),
    });
    // The learner's home page agrees, and offers no certificate of the other course as one of this.
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    type Events = { data: { completedEvents: { data: { course_id: string; result_id: string | null; reason: string }[] } } };
    const home = await learner.json<Events>('POST', '/graphql', { query: '{ completedEvents(first: 100) { data { course_id result_id reason } } }' });
    expect(home.body.data.completedEvents.data.find((e) => e.course_id === lower)).toEqual({
      ...{ course_id: lower, result_id: null, reason: (await standing())?.reason },
    });
    const below = (await admin.json<Answer<CourseRules>>('GET', path(lower, 'willowbrook-house'))).body.data;
    expect(below).toMatchObject({
      alternatives: [],
      inherited_alternatives: [{ id: higher, entity: { slug: 'willowbrook' } }],
      renewal_editable: false,
    });
    expect((await preview({ alternative_ids: [] })).data.turns).toMatchObject({ green: 0, red: 1 });
    await change({ alternative_ids: [] });
    expect((await standing())?.status).toBe('missing');
  });

  it('needs both parts where it says so, and says which is missing', async () => {
    const parts = { theory_id: theory, practical_id: practical };
    expect((await change({ parts: { theory_id: theory, practical_id: theory } })).body.errors).toEqual({
      'parts.practical_id': ['Choose another course than for the theory part.'],
    });
    expect((await change({ parts })).body.data.parts).toEqual({
      theory: { id: theory, name: 'Moving theory' },
      practical: { id: practical, name: 'Moving practical' },
    });
    await record(theory, 100);
    expect(await standing()).toMatchObject({
      status: 'missing',
      reason: expect.stringContaining('the practical part, “Moving practical”, was never completed'),
    });
    await record(practical, 40);
    const both = await standing();
    expect(both).toMatchObject({ status: 'in_date', reason: expect.stringContaining('That is when the theory part, “Moving theory”, expires.') });
    expect(both?.expires_at?.slice(0, 10)).toBe(dayIn(addMonths(`${addDays(today(), -100)}T12:00:00Z`, 12, 'Europe/London'), 'UTC'));
    // People who must do a course may do its parts.
    const taken = await server.database.db.one<{ n: number }>(sql`select count(*)::int as n from course_links where course_id = ${lower}`);
    expect(taken?.n).toBe(2);
    await change({ parts: null });
    await remove(theory);
    await remove(practical);
    expect((await standing())?.status).toBe('missing');
  });

  it('is asked for from a day until a day', async () => {
    const { id } = (await server.database.db.one<{ id: string }>(sql`select id from compliance where course_id = ${lower}`)) as { id: string };
    const set = (body: object) => admin.json<Answer<Compliance>>('PATCH', `/compliance/${id}`, body);
    await set({ required_from: addDays(today(), 10) });
    // Not required before: not one of their courses.
    expect(await standing()).toBeUndefined();
    expect((await set({ required_until: addDays(today(), 9) })).body.errors).toEqual({
      required_until: ['Choose a day that is not before the first.'],
    });
    server.clock.now = new Date(server.clock.now.getTime() + 10 * 86_400_000);
    await Promise.all([admin.signIn('admin@willowbrook.test'), rival.signIn('admin@brightpath.test')]);
    // The first day is good to its end.
    expect(await standing()).toMatchObject({ status: 'starter', reason: expect.stringContaining('the day from which it is required') });
    server.clock.now = new Date(server.clock.now.getTime() + 86_400_000);
    expect(await standing()).toMatchObject({ status: 'missing', reason: expect.stringContaining('the day from which it is required') });
    await set({ required_until: addDays(today(), -1), required_from: null });
    expect(await standing()).toBeUndefined();
    await set({ required_until: null });
    expect((await standing())?.status).toBe('missing');
  });

  it('is changed by who sees the organisation, and only with its courses; how long it is valid by its owner', async () => {
    for (const [method, to, body] of [
      ['GET', path()],
      ['PATCH', path(), { alternative_ids: [] }],
    ] as const)
      expect((await rival.json(method, to, body)).status).toBe(404);
    const elsewhere: string = randomUUID();
    await server.database.db.run(
      sql`insert into courses (id, title, short_title, entity_id) select ${elsewhere}, 'Theirs', 'Theirs', id from entities where slug = 'harbour-view'`,
    );
    expect((await change({ alternative_ids: [elsewhere] })).body.errors).toEqual({ alternative_ids: ['Choose courses of the organisation.'] });
    expect((await change({ alternative_ids: [lower] })).body.errors).toEqual({ alternative_ids: ['A course counts for itself already.'] });
    const shared = path(demoId('course:Fire safety'));
    expect((await change({ renewal_months: 6 }, admin, shared)).status).toBe(403);
    expect((await change({ alternative_ids: [higher] }, admin, shared)).status).toBe(200);
    await change({ alternative_ids: [] }, admin, shared);
  });

  it.each([
    ['few', 1],
    ['many', 21],
  ])('redates %s results of its own people, and none of a client that was trained in its course', async (_, times) => {
    const { db } = server.database;
    const taught = randomUUID();
    await db.run(sql`insert into courses (id, title, short_title, renewal_months, published, entity_id)
      values (${taught}, 'Taught to clients', 'T', 12, true, (select id from entities where slug = 'willowbrook'))`);
    const people = (places: string) =>
      db.all<{ id: string }>(
        sql`select u.id from users u join entities e on e.id = u.primary_entity_id where e.slug like ${places} order by u.id limit 10`,
      );
    const [own, clients] = [await people('willowbrook%'), await people('harbour-view%')];
    expect([own.length, clients.length > 0]).toEqual([10, true]);
    const taken = [...own, ...clients].flatMap(({ id: user_id }) =>
      Array.from({ length: times }, (_, n) => ({
        ...{ user_id, course_id: taught, type: 'face2face' as const, origin: 'register' as const, completed: addDays(today(), -1 - n) },
      })),
    );
    await recordResults(db, taken, server.clock.now);
    await change({ renewal_months: 36 }, admin, path(taught));
    const held = own.length * times;
    const asked = await change({ update_previous_results: true }, admin, path(taught));
    expect(asked.body.meta).toEqual(times === 1 ? undefined : { datingAnew: held });
    const far = (of: readonly { id: string }[]) =>
      db.one<{ n: number }>(sql`select count(*)::int as n from current_results r
        where r.course_id = ${taught} and r.user_id = any(${of.map((p) => p.id)}::uuid[]) and r.expires_at > r.completed_at + interval '30 months'`);
    await expect.poll(async () => (await far(own))?.n, { timeout: 45_000 }).toBe(held);
    await expect.poll(() => db.one(sql`select count(*)::int as n from redatings`), { timeout: 45_000 }).toEqual({ n: 0 });
    expect(await far(clients)).toEqual({ n: 0 });
  });

  it('redates many results in the background, in slices that continue after a server stopped', async () => {
    const { db } = server.database;
    const people = await db.all<{ id: string }>(
      sql`select u.id from users u join entities e on e.id = u.primary_entity_id where e.slug like 'willowbrook%' order by u.id`,
    );
    await recordResults(
      db,
      people.flatMap(({ id: user_id }) =>
        [1, 2, 3, 4, 5, 6].map((n) => ({
          ...{ user_id, course_id: higher, type: 'historical' as const, origin: 'manual' as const, completed: addDays(today(), -30 * n) },
        })),
      ),
      server.clock.now,
    );
    const changed = await change({ renewal_months: 24 }, admin, path(higher));
    const held = changed.body.meta?.existingResult as number;
    expect(held).toBeGreaterThan(200);
    const far = () =>
      db.one<{ n: number }>(
        sql`select count(*)::int as n from current_results r where r.course_id = ${higher} and r.expires_at > r.completed_at + interval '20 months'`,
      );
    expect((await far())?.n).toBe(0);
    const asked = await change({ update_previous_results: true }, admin, path(higher));
    expect(asked.body.meta).toEqual({ datingAnew: held });
    const title = 'Recalculating result dates: Moving higher';
    const shown = async () => (await admin.json<Answer<Job[]>>('GET', '/jobs')).body.data.find((j) => j.kind === 'redate' && j.title === title);
    expect(await shown()).toMatchObject({ total: held, unit: 'results' });
    await expect.poll(async () => (await shown())?.state, { timeout: 45_000 }).toBe('done');
    expect([(await far())?.n, (await shown())?.done]).toEqual([held, held]);
    expect(await db.one(sql`select count(*)::int as n from redatings`)).toEqual({ n: 0 });

    // The same, with a server that stops after the first slice.
    await change({ renewal_months: 6 }, admin, path(higher));
    const services = { now: () => server.clock.now, jobs: { note: async () => {} } as never };
    const entity = (await db.one<{ id: string }>(sql`select id from entities where slug = 'willowbrook'`))?.id as string;
    const details = { entity_id: entity, subject: 'Moving higher', reason: 'Shorter.', by: demoId('user:admin@willowbrook.test') };
    expect(await db.tx((tx) => redate(tx, services, { role_id: null, course_id: higher, ...details }))).toEqual({ changed: 0, waiting: held });
    const { id } = (await db.one<{ id: string }>(sql`select id from redatings where course_id = ${higher}`)) as { id: string };
    const job = redateJob({ db, now: () => server.clock.now }, 25);
    const run = (progress: (done: number) => Promise<void>) => job.run({ key: id, signal: new AbortController().signal, progress });
    const steps: number[] = [];
    const stop = async (done: number) => {
      steps.push(done);
      throw new JobEnds('given back');
    };
    await expect(run(stop)).rejects.toThrow(JobEnds);
    const first = steps[0] ?? 0;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(held);
    expect((await far())?.n).toBe(held - first);
    await run(async (done) => void steps.push(done));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect([steps.at(-1), (await far())?.n]).toEqual([held, 0]);
    // Each was changed once, and a further run does nothing.
    await run(async () => {});
    expect(
      await db.one(sql`select min(rev)::int as least, max(rev)::int as most from current_results where course_id = ${higher} and expiry = 'rule'`),
    ).toEqual({
      ...{ least: 3, most: 3 },
    });
    expect(await db.one(sql`select count(*)::int as n from redatings`)).toEqual({ n: 0 });
  }, 60_000);
});

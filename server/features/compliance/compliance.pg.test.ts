import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compliantCourses, createCompliance, roleCourses } from '#contract/api/compliance.ts';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { Compliance, PersonCompliance, RoleCourse, RuleEffect } from '#contract/entities/compliance.ts';
import { addMonthsToDay, dayIn, endOfDay } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; meta?: { existingResult?: number }; errors: Record<string, string[]> };
const care = demoId('role:group:care');

describe('what a job role has to do', () => {
  let server: TestApp;
  let admin: TestClient;
  let manager: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, manager, rival] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('manager@willowbrook.test'),
      await signedIn('admin@brightpath.test'),
    ];
  });
  afterAll(() => server.close());
  const courses = async (by = admin, slug = 'willowbrook') =>
    (await by.json<Answer<RoleCourse[]>>('GET', `/compliance/${slug}/role/${care}`)).body.data;
  const course = async (title: string) => (await courses()).find((c) => c.title === title) as RoleCourse;
  const change = (id: string, body: object, by = admin) => by.json<Answer<Compliance>>('PATCH', `/compliance/${id}`, body);
  const amara = demoId('user:learner@willowbrook.test');
  const standing = async (by = admin) => (await by.json<Answer<PersonCompliance[]>>('GET', `/users/${amara}/compliant-courses`)).body.data;
  const audit = async () => (await admin.json<Answer<AuditEntry[]>>('GET', '/audit-log?kind=compliance')).body.data;

  it('is read where the role is used, and changed by who sees where it belongs', async () => {
    const all = await courses();
    expect(roleCourses.response.safeParse(all).error).toBeUndefined();
    expect(all.filter((c) => c.compliance).length).toBeGreaterThan(10);
    const ruled = all.find((c) => c.compliance) as RoleCourse;
    expect(ruled.compliance).toMatchObject({ role_id: care, course_id: ruled.id, entity: { slug: 'willowbrook' }, renewal_months: null });
    expect(ruled.defaults).toMatchObject({ expiry_warning: 60, starter_period: 84 });
    expect((await courses(manager, 'willowbrook-house')).length).toBe(all.length);
    expect((await manager.json('GET', `/compliance/willowbrook/role/${care}`)).status).toBe(404);
    const id = ruled.compliance?.id as string;
    expect((await change(id, { type: 'secondary' }, manager)).status).toBe(403);
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, 34 from users where email = 'manager@willowbrook.test' on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    // The role belongs to the group, above the manager.
    expect((await change(id, { type: 'secondary' }, manager)).status).toBe(404);
    expect((await manager.json('DELETE', `/compliance/${id}`)).status).toBe(404);
    for (const [method, path, body] of [
      ['GET', `/compliance/brightpath/role/${care}`],
      ['GET', `/compliance/willowbrook/role/${care}`],
      ['GET', `/compliance/role/${care}/course/${ruled.id}`],
      ['GET', `/compliance/${id}`],
      ['PATCH', `/compliance/${id}`, { type: 'secondary' }],
      ['DELETE', `/compliance/${id}`],
      ['POST', '/compliance', { role_id: care, course_id: ruled.id, type: 'primary' }],
      ['GET', `/users/${amara}/compliant-courses`],
    ] as const)
      expect((await rival.json(method, path, body)).status, `${method} ${path}`).toBe(404);
    expect((await admin.json<Answer<Compliance>>('GET', `/compliance/${id}`)).body.data.type).toBe('primary');
  });

  it('is asked of nobody while the organisation does not have the course, and again when it has', async () => {
    const { db } = server.database;
    const [library, owned] = [randomUUID(), randomUUID()];
    await db.run(sql`insert into entities (id, name, slug, level) values (${library}, 'Library', ${`library-${library.slice(0, 8)}`}, 'A')`);
    await db.run(
      sql`insert into courses (id, title, short_title, entity_id, published, delivery) values (${owned}, 'Bought elsewhere', 'Bought', ${library}, true, 'elearning')`,
    );
    const place = demoId('entity:group');
    const slug = (await db.one<{ slug: string }>(sql`select slug from entities where id = ${place}`))?.slug;
    const give = () => db.run(sql`insert into entity_courses (entity_id, course_id) values (${place}, ${owned})`);
    await give();
    const rule = (await admin.json<Answer<Compliance>>('POST', '/compliance', { role_id: care, course_id: owned, type: 'primary' })).body.data;
    const score = async () =>
      (
        await db.one<{ n: number }>(
          sql`select count(*)::int as n from users u cross join lateral required_of(u.id, now()) q where q.course_id = ${owned}`,
        )
      )?.n ?? 0;
    const asked = async () => ({
      standing: (await standing()).some((c) => c.course_id === owned),
      people: (await score()) > 0,
      role: (await courses()).find((c) => c.id === owned)?.available,
    });
    expect(await asked()).toEqual({ standing: true, people: true, role: true });

    expect((await admin.json('DELETE', `/entities/${slug}/courses/${owned}`)).status).toBe(204);
    expect(await asked()).toEqual({ standing: false, people: false, role: false });
    // The rule is still there, and says so; it cannot be made a second time.
    expect((await admin.json<Answer<RoleCourse>>('GET', `/compliance/role/${care}/course/${owned}`)).body.data).toMatchObject({
      available: false,
      compliance: { id: rule.id },
    });
    expect((await admin.json('GET', `/compliance/${rule.id}`)).status).toBe(200);
    const events = (await admin.json<{ data: { course_id: string }[] }>('GET', `/users/${amara}/events`)).body.data;
    expect((events ?? []).some((e) => e.course_id === owned)).toBe(false);
    expect((await admin.json('POST', '/compliance', { role_id: care, course_id: owned, type: 'primary' })).status).toBe(422);

    await give();
    expect(await asked()).toEqual({ standing: true, people: true, role: true });
    expect((await admin.json('DELETE', `/entities/${slug}/courses/${owned}`)).status).toBe(204);
    expect((await admin.json('DELETE', `/compliance/${rule.id}`)).status).toBe(204);
    expect((await courses()).some((c) => c.id === owned)).toBe(false);
  });

  it('is taken away and added, and what people have to do follows at once', async () => {
    const fire = await course('Fire safety');
    expect((await standing()).some((c) => c.course_id === fire.id)).toBe(true);
    expect((await admin.json('DELETE', `/compliance/${fire.compliance?.id}`)).status).toBe(204);
    expect((await standing()).some((c) => c.course_id === fire.id)).toBe(false);
    const body = { role_id: care, course_id: fire.id, type: 'secondary', starter_period: 10 };
    const made = await admin.json<Answer<Compliance>>('POST', '/compliance', body);
    expect(made.status).toBe(201);
    expect(createCompliance.response.safeParse(made.body.data).error).toBeUndefined();
    expect((await admin.json<Answer<Compliance>>('POST', '/compliance', body)).body.errors).toEqual({
      course_id: ['This job role has to do this course already.'],
    });
    const list = await standing();
    expect(compliantCourses.response.safeParse(list).error).toBeUndefined();
    expect(list.find((c) => c.course_id === fire.id)).toMatchObject({ type: 'secondary' });
    const elsewhere = randomUUID();
    await server.database.db.run(
      sql`insert into courses (id, title, short_title, entity_id) select ${elsewhere}, 'Theirs', 'Theirs', id from entities where slug = 'harbour-view'`,
    );
    expect((await admin.json<Answer<Compliance>>('POST', '/compliance', { ...body, course_id: elsewhere })).body.errors).toEqual({
      course_id: ['Choose a course of the organisation.'],
    });
    expect((await change(made.body.data.id, { renewal_months: -1 })).status).toBe(422);
    expect((await audit()).slice(0, 2).map((e) => [e.action, e.subject.name])).toEqual([
      ['created', 'Fire safety for Care assistant'],
      ['deleted', 'Fire safety for Care assistant'],
    ]);
  });

  it('decides how a person stands, with its own periods, and says why', async () => {
    const done = (await standing()).find((c) => c.status === 'in_date' && c.expires_at) as PersonCompliance;
    expect(done.reason).toMatch(/^Completed on \d\d\/\d\d\/\d{4}, in date until /);
    const id = (await course(done.course_title)).compliance?.id as string;
    const left = Math.ceil((Date.parse(done.expires_at as string) - server.clock.now.getTime()) / 86_400_000);
    expect((await change(id, { expiry_warning: Math.min(366, left + 1) })).body.meta).toBeUndefined();
    expect((await standing()).find((c) => c.course_id === done.course_id)?.status).toBe('expiring');
    await change(id, { expiry_warning: null });
    expect((await standing()).find((c) => c.course_id === done.course_id)).toEqual(done);

    // A starter period longer than the person has been here makes a missing course one that is still to come.
    await forgetResults(server.database.db, sql`user_id = ${amara} and course_id = ${done.course_id}`);
    expect((await standing()).find((c) => c.course_id === done.course_id)).toMatchObject({ status: 'missing', completed_at: null });
    await change(id, { starter_period: 1000 });
    expect((await standing()).find((c) => c.course_id === done.course_id)?.status).toBe('starter');
  });

  it('lets only who may change completed courses date them again', async () => {
    const done = (await standing()).find((c) => c.status === 'in_date' && c.expires_at) as PersonCompliance;
    const id = (await course(done.course_title)).compliance?.id as string;
    const { db } = server.database;
    await db.run(sql`delete from type_permissions where permission_id = 43`);
    const without = await signedIn('admin@willowbrook.test');
    const path = `/compliance/${id}`;
    expect(await without.json('PATCH', path, { update_previous_results: true })).toMatchObject({
      ...{ status: 403, body: { errors: { update_previous_results: ['You do not have permission to change completed courses.'] } } },
    });
    const changed = await without.json<{ meta?: object }>('PATCH', path, { renewal_months: 47 });
    expect([changed.status, changed.body.meta]).toEqual([200, undefined]);
    await without.json('PATCH', path, { renewal_months: null });
    await db.run(sql`insert into type_permissions (type_id, permission_id) select type_id, 43 from type_permissions where permission_id = 34`);
  });

  it('asks whether existing results are to be redated, and does as answered', async () => {
    const done = (await standing()).find((c) => c.status === 'in_date' && c.expires_at) as PersonCompliance;
    const before = await course(done.course_title);
    const id = before.compliance?.id as string;
    const expiry = async () => (await standing()).find((c) => c.course_id === done.course_id)?.expires_at;
    const asked = await change(id, { renewal_months: 48 });
    expect(asked.body.data.renewal_months).toBe(48);
    const existing = asked.body.meta?.existingResult as number;
    expect(existing).toBeGreaterThan(1);
    expect(await expiry()).toBe(done.expires_at);
    expect((await change(id, { update_previous_results: false })).body.meta).toBeUndefined();
    expect(await expiry()).toBe(done.expires_at);
    await change(id, { update_previous_results: true });
    expect(await expiry()).toBe(endOfDay(addMonthsToDay(dayIn(done.completed_at as string, 'Europe/London'), 48), 'Europe/London'));
    expect((await audit())[0]).toMatchObject({ after: { results_dated_anew: existing } });
    // Without expiry, and by the course's rule again.
    await change(id, { renewal_months: 0, update_previous_results: true });
    expect(await expiry()).toBeNull();
    await change(id, { renewal_months: null, update_previous_results: true });
    expect(await expiry()).toBe(
      endOfDay(addMonthsToDay(dayIn(done.completed_at as string, 'Europe/London'), before.defaults.renewal_months as number), 'Europe/London'),
    );
    // Other job roles are unchanged.
    const others = await server.database.db.all(
      sql`select 1 as one from results r join users u on u.id = r.user_id join entities e on e.id = u.primary_entity_id
        where r.course_id = ${done.course_id} and u.role_id <> ${care} and r.expires_at is distinct from ((((r.completed_at at time zone e.time_zone)::date
          + make_interval(months => ${before.defaults.renewal_months}))::date + 1)::timestamp at time zone e.time_zone) - interval '1 second'`,
    );
    expect(others).toEqual([]);
  });

  it('is what a device keeps of the people one looks after: who has not left, and why each stands as they do', async () => {
    type Team = { data: { id: string; name: string; must: { status: string; reason: string }[] }[]; meta: { total: number } };
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    const team = (await manager.json<Team>('GET', '/team')).body;
    expect(team.meta.total).toBe(team.data.length);
    for (const { id, name, must } of team.data) {
      const alone = await manager.json<{ data: object[] }>('GET', `/users/${id}/compliant-courses`);
      expect(must, name).toEqual(alone.body.data);
    }
    const list = await manager.json<{ meta: { total: number } }>('GET', '/users?state=active');
    expect(team.meta.total).toBe(list.body.meta.total);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await learner.json('GET', '/team')).status).toBe(403);
  });
  it('says before a change how many people it would turn which colour, and changes nothing', async () => {
    const { db } = server.database;
    const role_id = demoId('role:group:care');
    const course_id = demoId('course:Fire safety');
    const before = (await admin.json<{ data: RoleCourse }>('GET', `/compliance/role/${role_id}/course/${course_id}`)).body.data.compliance;
    const results = () => db.all(sql`select id, rev, expires_at from results where course_id = ${course_id} order by id`);
    const untouched = await results();
    const rule = {
      ...{ type: 'primary', renewal_months: null, expiry_warning: null, starter_period: null },
      renewal_kind: null,
      renewal_window: null,
      renewal_on: null,
    };
    const ask = (client: TestClient, change: object | null) =>
      client.json<{ data: RuleEffect; errors?: object }>('POST', '/compliance/preview', {
        ...{ role_id, course_id },
        rule: change && { ...rule, update_previous_results: true, ...change },
      });
    const shorter = (await ask(admin, { renewal_months: 1 })).body.data;
    expect(shorter.people).toBeGreaterThan(10);
    expect(shorter.turns.red).toBeGreaterThan(5);
    // With existing results unchanged, nobody turns red by a rule for new results only.
    expect((await ask(admin, { renewal_months: 1, update_previous_results: false })).body.data.turns).toMatchObject({ red: 0 });
    expect((await ask(admin, { renewal_months: 0 })).body.data.turns).toMatchObject({ red: 0 });
    const gone = (await ask(admin, null)).body.data;
    expect(gone.turns.none).toBeGreaterThan(0);
    expect((await ask(admin, { renewal_kind: 'fixed' })).body.errors).toEqual({ 'rule.renewal_on': ['Choose the day of the year.'] });
    expect((await ask(admin, { renewal_kind: 'fixed', renewal_on: '02-30' })).body.errors).toHaveProperty('rule.renewal_on');
    expect((await ask(rival, {})).status).toBe(404);
    expect(await results()).toEqual(untouched);
    expect((await admin.json<{ data: RoleCourse }>('GET', `/compliance/role/${role_id}/course/${course_id}`)).body.data.compliance).toEqual(before);
  });
  it('redates results to a fixed day of the year, each with its previous version', async () => {
    const { db } = server.database;
    const role_id = demoId('role:group:care');
    const course_id = demoId('course:Fire safety');
    const id = (await admin.json<{ data: RoleCourse }>('GET', `/compliance/role/${role_id}/course/${course_id}`)).body.data.compliance?.id;
    const change = { renewal_kind: 'fixed', renewal_on: '03-31', renewal_window: 60, renewal_months: 12, update_previous_results: true };
    expect((await admin.json('PATCH', `/compliance/${id}`, change)).status).toBe(200);
    const held = await db.all<{
      last: string;
      rev: number;
      kept: number;
    }>(sql`select to_char((r.expires_at - interval '1 second') at time zone 'Europe/London', 'MM-DD') as last, r.rev,
        (select count(*)::int from result_versions v where v.result_id = r.id) as kept from current_results r join held_roles h on h.user_id = r.user_id and h.role_id = ${role_id}
      where r.course_id = ${course_id} and r.expiry = 'rule'`);
    expect(held.length).toBeGreaterThan(10);
    expect(new Set(held.map((r) => r.last))).toEqual(new Set(['03-31']));
    expect(held.every((r) => r.kept === r.rev - 1 && r.kept > 0)).toBe(true);
    expect((await admin.json<{ errors: object }>('PATCH', `/compliance/${id}`, { renewal_kind: 'fixed', renewal_on: null })).body.errors).toEqual({
      renewal_on: ['Choose the day of the year.'],
    });
  });
});

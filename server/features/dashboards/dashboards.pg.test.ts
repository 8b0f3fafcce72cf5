import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CourseFigures, DashboardLayout, Figures, MonthFigures, NeedyPerson, PlaceFigures, Waiting } from '#contract/entities/dashboard.ts';
import { permissionIdOf } from '#contract/permissions.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, startOfDay } from '#contract/rules/days.ts';
import { percentOf } from '#contract/rules/percent.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { countPlaces } from '#server/features/dashboards/figures.rows.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.rows.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; meta: { total: number } };
const home = demoId('entity:home');
const amara = demoId('user:learner@willowbrook.test');

describe('dashboards', () => {
  let server: TestApp;
  let manager: TestClient;
  let admin: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [manager, admin, rival] = [
      await signedIn('manager@willowbrook.test'),
      await signedIn('admin@willowbrook.test'),
      await signedIn('admin@brightpath.test'),
    ];
  });
  afterAll(() => server.close());

  const get = async <T>(path: string, by = manager): Promise<Answer<T>> => {
    const { status, body } = await by.json<Answer<T>>('GET', path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const figuresOf = async (query = '', by = manager) => (await get<Figures>(`/dashboards/figures${query}`, by)).data;
  /** The requirements of everybody below an organisation, as on their own page, now or at the end of a day ahead. */
  const asOnTheirPages = async (slug: string, days: number | null = null): Promise<LearnerEvent[]> => {
    const { db } = server.database;
    const people = await db.all<{ id: string }>(sql`select u.id from users u join entity_below b on b.below = u.primary_entity_id
      join entities e on e.id = b.above and e.slug = ${slug} where u.disabled_at is null`);
    const today = dayIn(server.clock.now, 'Europe/London');
    const at = days === null ? server.clock.now : new Date(Date.parse(startOfDay(addDays(today, days + 1), 'Europe/London')) - 1);
    const ids = people.map((p) => p.id);
    return (await eventsOf(db, ids, at)).filter((e) => e.compliance_type !== null);
  };
  const peopleIn = (events: readonly LearnerEvent[]) => [...new Set(events.map((e) => e.user_id))].sort();
  const isRed = (e: LearnerEvent) => complianceColourOf[e.compliance] === 'red';

  it('count what each person’s own page says, and list exactly these people', async () => {
    for (const [client, slug] of [
      [manager, 'willowbrook-house'],
      [admin, 'willowbrook'],
    ] as const) {
      const figures = await figuresOf('', client);
      const events = await asOnTheirPages(slug);
      const overdue = events.filter(isRed);
      const counted = events.filter((e) => e.compliance !== 'starter');
      const inDate = counted.filter((e) => e.compliance === 'in_date' || e.compliance === 'expiring');
      expect(figures).toMatchObject({ overdue: peopleIn(overdue).length, required: counted.length, in_date: inDate.length });
      expect(figures.score).toBe(percentOf(inDate.length, counted.length));
      expect(figures.overdue).toBeGreaterThan(0);
      const now = new Set(overdue.map((e) => `${e.user_id} ${e.course_id}`));
      for (const [i, days] of [30, 60, 90].entries()) {
        const then = (await asOnTheirPages(slug, days)).filter((e) => isRed(e) && !now.has(`${e.user_id} ${e.course_id}`));
        expect([days, figures.turn_red[i]]).toEqual([days, peopleIn(then).length]);
      }
      const seen = await get<unknown[]>('/users?state=active&per_page=100', client);
      expect(figures.people).toBe(seen.meta.total);
      // The list of people narrows by the same figures, and sorts by them: whoever has most overdue comes first.
      const standing = async (which: string) => (await get<{ id: string }[]>(`/users?standing=${which}&per_page=100`, client)).meta.total;
      expect([await standing('overdue'), await standing('soon'), await standing('starters')]).toEqual([
        figures.overdue,
        figures.turn_red[0],
        figures.starters,
      ]);
      const needy = await Promise.all(['overdue', 'soon', 'starters'].map((w) => get<{ id: string }[]>(`/users?standing=${w}&per_page=100`, client)));
      const anyNeed = new Set(needy.flatMap(({ data }) => data.map((u) => u.id)));
      expect(await standing('none')).toBe(figures.people - anyNeed.size);
      type Listed = { id: string; courses: { required: number; required_overdue: number } };
      const urgentFirst = await get<Listed[]>('/users?state=active&sort=standing&per_page=100', client);
      const lateOf = urgentFirst.data.map(({ id }) => overdue.filter((e) => e.user_id === id).length);
      expect(lateOf).toEqual(lateOf.toSorted((a, b) => b - a));
      // Beside each name stands the same number.
      expect(urgentFirst.data.map(({ courses }) => courses.required_overdue)).toEqual(lateOf);
      expect(urgentFirst.data.every(({ courses }) => courses.required_overdue <= courses.required)).toBe(true);
      const list = client === manager ? await get<NeedyPerson[]>('/dashboards/people?need=overdue&per_page=100', client) : null;
      if (!list) continue;
      expect(list.meta.total).toBe(figures.overdue);
      expect(list.data.map((p) => p.id).sort()).toEqual(peopleIn(overdue));
      for (const person of list.data) {
        const own = overdue.filter((e) => e.user_id === person.id);
        expect([person.overdue, person.courses.map((c) => c.id).sort()]).toEqual([own.length, own.map((e) => e.course_id).sort()]);
        // What was due first comes first: a list shows only the first few.
        const due = person.courses.map((c) => own.find((e) => e.course_id === c.id)?.compliance_due_at ?? '');
        expect(due).toEqual(due.toSorted());
      }
    }
  });

  it('say of each number what the page says to which it leads', async () => {
    const { turn_red, starters } = await figuresOf();
    const forecast = await get<{ figures: { days: number; red: { people: number } }[] }>('/forecast');
    expect(turn_red).toEqual(forecast.data.figures.map((f) => f.red.people));
    const soon = await get<NeedyPerson[]>('/dashboards/people?need=soon');
    expect(soon.meta.total).toBe(turn_red[0]);
    expect(soon.data.every((p) => p.courses.length === p.soon)).toBe(true);
    expect((await get<NeedyPerson[]>('/dashboards/people?need=starters')).meta.total).toBe(starters);
    const waiting = (await get<Waiting>('/dashboards/waiting')).data;
    const devices = await get<{ waiting: number; needs_person: number }[]>('/devices');
    expect(waiting.results).toBe((await get<unknown[]>('/results?status=pending')).meta.total);
    expect(waiting.certificates).toBe(
      (await get<{ people: { waiting: boolean }[] }>('/care-certificates/overview')).data.people.filter((p) => p.waiting).length,
    );
    expect(waiting.devices?.unsent).toBe(devices.data.filter((d) => d.waiting + d.needs_person > 0).length);
  });

  it('follow what is recorded, at once where there are few people', async () => {
    const { db } = server.database;
    const before = await figuresOf();
    const [person] = (await get<NeedyPerson[]>('/dashboards/people?need=overdue')).data;
    const at = server.clock.now.toISOString();
    await db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
      select gen_random_uuid(), ${person?.id ?? null}::uuid, c, 'historical', ${at}, null from unnest(${person?.courses.map((c) => c.id) ?? []}::uuid[]) c`);
    const after = await figuresOf();
    expect([after.overdue, after.in_date]).toEqual([before.overdue - 1, (before.in_date ?? 0) + (person?.courses.length ?? 0)]);
    server.clock.now = new Date(server.clock.now.getTime() + 6000);
    expect((await get<NeedyPerson[]>('/dashboards/people?need=overdue&per_page=100')).data.map((p) => p.id)).not.toContain(person?.id);
    expect((await get<NeedyPerson[]>('/dashboards/people?need=overdue&search=nobody%20at%20all')).data).toEqual([]);
    expect((await get<NeedyPerson[]>('/dashboards/people?need=overdue&page=900')).meta.total).toBe(after.overdue);
  });

  it('have houses side by side and courses whose sums are the whole', async () => {
    const whole = await figuresOf('', admin);
    const places = (await get<PlaceFigures[]>('/dashboards/places', admin)).data;
    const sum = (pick: (p: PlaceFigures) => number) => places.reduce((n, p) => n + pick(p), 0);
    expect([sum((p) => p.people), sum((p) => p.overdue), sum((p) => p.required), sum((p) => p.in_date)]).toEqual([
      whole.people,
      whole.overdue,
      whole.required,
      whole.in_date,
    ]);
    const inOrder = places.map((p) => p.score ?? 101);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    const house = places.find((p) => p.id === home);
    expect(house).toMatchObject({ own: false, has_below: false });
    const its = await figuresOf('?entity=willowbrook-house', admin);
    expect([its.people, its.score, its.entity?.slug]).toEqual([house?.people, house?.score, 'willowbrook-house']);
    const months = (await get<MonthFigures[]>('/dashboards/trend', admin)).data;
    expect(months).toHaveLength(12);
    const scores = months.map((m) => [m.score, percentOf(m.in_date, m.required)]);
    expect(scores.every(([said, is]) => said === is)).toBe(true);
    const courses = (await get<CourseFigures[]>('/dashboards/courses?per_page=100', admin)).data;
    expect([courses.reduce((n, c) => n + c.required, 0), courses.reduce((n, c) => n + c.in_date, 0)]).toEqual([whole.required, whole.in_date]);
  });

  it('remember how it was then', async () => {
    const { db } = server.database;
    const then = new Date(server.clock.now.getTime() - 28 * 86_400_000);
    await db.run(sql`delete from place_figures where day < current_date - 3`);
    const places = await db.all<{ id: string }>(
      sql`select b.below as id from entity_below b join entities e on e.id = b.above and e.slug = 'willowbrook'`,
    );
    await countPlaces(
      db,
      then,
      places.map((p) => p.id),
    );
    await db.run(sql`update place_figures set required = 100, in_date = 40 where day < current_date - 3`);
    const { weeks, score } = await figuresOf('', admin);
    expect(weeks.map((w) => w.on)).toHaveLength(2);
    expect(weeks.map((w) => w.score)).toEqual([40, score]);
    expect((await get<PlaceFigures[]>('/dashboards/places', admin)).data.map((p) => p.before)).toContain(40);
  });

  it('belong to who may see others, in their own organisation', async () => {
    expect((await figuresOf('', rival)).people).toBe(1);
    expect((await rival.json('GET', '/dashboards/figures?entity=willowbrook-house')).status).toBe(404);
    expect((await manager.json('GET', '/dashboards/people?need=everything')).status).toBe(422);
    const { db } = server.database;
    await db.run(sql`insert into user_permissions (user_id, permission_id) values (${amara}, 105), (${amara}, 79)`);
    const learner = await signedIn('learner@willowbrook.test');
    for (const path of ['figures', 'people', 'trend', 'places', 'courses'])
      expect((await learner.json('GET', `/dashboards/${path}`)).status).toBe(403);
    expect((await get<Waiting>('/dashboards/waiting', learner)).data).toEqual({ results: null, certificates: null, devices: null });
  });

  it('say how much is in date to who may see the compliance of the organisation', async () => {
    const { db } = server.database;
    const compliance = permissionIdOf('widget.entity_compliance');
    const widgets = async () => (await get<DashboardLayout>('/dashboards/management-dashboard/layout')).data.widgets.map((w) => w.id);
    expect([(await figuresOf()).score, await widgets()]).toEqual([expect.any(Number), expect.arrayContaining(['score', 'trend'])]);
    const type = sql`type_id = (select type_id from users where email = 'manager@willowbrook.test') and permission_id = ${compliance}`;
    await db.run(sql`delete from type_permissions where ${type}`);
    server.clock.now = new Date(server.clock.now.getTime() + 6000);
    const { overdue, people, required, in_date, score, weeks } = await figuresOf();
    expect([required, in_date, score]).toEqual([null, null, null]);
    expect(weeks.every((w) => w.score === null && w.in_date === null)).toBe(true);
    expect([overdue > 0, people > overdue]).toEqual([true, true]);
    expect((await manager.json('GET', '/dashboards/trend')).status).toBe(403);
    expect(await widgets()).not.toEqual(expect.arrayContaining(['score']));
    await db.run(
      sql`insert into type_permissions (type_id, permission_id) select type_id, ${compliance} from users where email = 'manager@willowbrook.test'`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 6000);
  });

  it('are counted by a job where there are many people, and say until then that they are not ready', async () => {
    const { db } = server.database;
    await db.run(sql`insert into users (id, name, email, primary_entity_id, started_on)
      select gen_random_uuid(), 'Many ' || n, 'many' || n || '@willowbrook.test', ${home}, '2020-01-01' from generate_series(1, 260) n`);
    await db.run(sql`delete from place_figures`);
    const first = await manager.json<Answer<Figures>>('GET', '/dashboards/figures');
    expect([first.status, first.body.data.counted_at]).toEqual([202, null]);
    await expect.poll(async () => (await manager.json('GET', '/dashboards/figures')).status, { timeout: 45_000 }).toBe(200);
    expect((await figuresOf()).people).toBeGreaterThan(260);
    const state = () => db.one<{ state: string }>(sql`select state from jobs where kind = 'figures' and key = ${home}`);
    await expect.poll(async () => (await state())?.state, { timeout: 45_000 }).toBe('done');
  });
});

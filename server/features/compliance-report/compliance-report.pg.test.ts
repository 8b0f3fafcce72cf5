import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComplianceReport, DrillDownLine } from '#contract/entities/compliance-report.ts';
import type { EntityScore } from '#contract/entities/entity.ts';
import type { Forecast } from '#contract/entities/forecast.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import { addMonthsToDay, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { insertRow } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { writeMonths } from '#server/features/compliance-report/counts.rows.ts';
import { matrixOf } from '#server/features/matrix/matrix.service.ts';
import { createSessions } from '#server/security/sessions.ts';
import { readConfig } from '#server/config.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const zone = 'Europe/London';
const [group, house] = [demoId('entity:group'), demoId('entity:home')];
const cook = demoId('role:group:cook');
type Part = { required: readonly number[]; in_date: readonly number[] };
const last = ({ required, in_date }: Part) => ({ required: required.at(-1) ?? -1, in_date: in_date.at(-1) ?? -1 });

describe('the compliance report', () => {
  let server: TestApp;
  let admin: TestClient;
  /** People see organisations added later. */
  const later = () => {
    server.clock.now = new Date(server.clock.now.getTime() + 3000);
  };
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const db = () => server.database.db;
  const report = async (filter: object = {}, client = admin) => {
    const { status, body } = await client.json<{ data: ComplianceReport }>('POST', '/reports/compliance', { entities: [], ...filter });
    return { status, ...body.data };
  };
  const lines = async (path: string, client = admin) => {
    const { status, body } = await client.json<{ data: DrillDownLine[] }>('GET', `/reports/drill-down/${path}`);
    return { status, lines: body.data };
  };
  const thisMonth = () => `${dayIn(server.clock.now, zone).slice(0, 7)}-01`;

  it('says of today what the matrix, the score of an organisation, the forecast and the people behind it say', async () => {
    const { months, entities, courses, status } = await report();
    expect(status).toBe(200);
    const today = months.at(-1);
    expect(months).toHaveLength(13);
    expect(today).toMatchObject({ source: 'now', month: thisMonth().slice(0, 7) });

    const actor = await createSessions(db(), readConfig({ DATA_DIR: server.folder }), () => server.clock.now).actorOf(
      demoId('user:admin@willowbrook.test'),
      '',
      'token',
    );
    if (!actor) throw new Error('nobody');
    const services = { db: db(), now: () => server.clock.now, config: readConfig({ DATA_DIR: server.folder }) };
    const matrix = await matrixOf(services).openWith(actor, MatrixFilter.parse({}));
    const { top, all } = await matrix.aggregates(() => undefined);
    expect({
      required: (today?.asked ?? 0) - (today?.starter ?? 0),
      in_date: (today?.in_date ?? 0) + (today?.expiring ?? 0),
      score: today?.score,
    }).toEqual({
      ...{ required: top.required, in_date: top.in_date, score: top.score },
    });
    for (const entity of entities) expect(last(entity)).toMatchObject(pick(all.find((a) => a.entity_id === entity.id)));
    for (const course of courses) expect(last(course)).toMatchObject(pick(all.find((a) => a.course_id === course.id)));
    // The heat map adds up to its organisations.
    for (const e of entities) {
      const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);
      expect({ required: sum(e.course_required), in_date: sum(e.course_in_date) }).toEqual(last(e));
    }

    const score = () => admin.json<{ data: EntityScore }>('GET', '/entities/willowbrook/score/primary');
    await expect.poll(async () => (await score()).status, { timeout: 45_000 }).toBe(200);
    expect((await score()).body.data).toMatchObject({ required: top.required, in_date: top.in_date });
    const { people } = (await admin.json<{ data: Forecast }>('GET', '/forecast')).body.data;
    expect(people).toBe(matrix.head.people.length);

    // Organisations, their job roles, and the people of each add up to the same.
    const places = await lines('entities');
    expect(places.lines.reduce((n, p) => n + p.required, 0)).toBe(top.required);
    const roles = await lines(`${house}/roles`);
    expect(roles.lines.reduce((n, r) => n + r.required, 0)).toBe(places.lines.find((p) => p.id === house)?.required);
    // Of an organisation with others below it, its own people only.
    const ownRoles = await lines(`${group}/roles?own=1`);
    expect(ownRoles.lines.reduce((n, r) => n + r.required, 0)).toBe(places.lines.find((p) => p.id === group)?.required);
    const cooks = roles.lines.find((r) => r.id === cook);
    const users = await lines(`${house}/${cook}/users`);
    expect(users.lines).toHaveLength(3);
    expect(users.lines.reduce((n, u) => n + u.in_date + u.expiring, 0)).toBe((cooks?.in_date ?? 0) + (cooks?.expiring ?? 0));
    expect(users.lines.map((u) => u.score ?? 101)).toEqual(users.lines.map((u) => u.score ?? 101).sort((a, b) => a - b));
    // The same for a past month.
    const then = `month=${addMonthsToDay(thisMonth(), -3).slice(0, 7)}&compliance_type=all`;
    const cooksThen = (await lines(`${house}/roles?${then}`)).lines.find((r) => r.id === cook);
    const usersThen = await lines(`${house}/${cook}/users?${then}`);
    for (const number of ['asked', 'in_date', 'expiring', 'expired', 'missing'] as const)
      expect(usersThen.lines.reduce((n, u) => n + u[number], 0)).toBe(cooksThen?.[number]);
    expect(cooksThen?.asked).toBeGreaterThan(0);
  });
  const pick = (from: { required: number; in_date: number } | undefined) => ({ required: from?.required ?? 0, in_date: from?.in_date ?? 0 });

  it('is narrowed by organisation, job role, course, type, new starters, people and tags', async () => {
    const whole = await report();
    const one = await report({ entities: [house] });
    expect(one.entities.map((e) => e.name)).toEqual(['Willowbrook House']);
    expect(one.chosen.entities).toEqual([{ id: house, name: 'Willowbrook House' }]);
    const cooks = await report({ entities: [house], roles: [cook] });
    expect(last(cooks.entities[0] as Part)).toEqual({
      ...{ required: (await lines(`${house}/roles`)).lines.find((r) => r.id === cook)?.required },
      in_date: cooks.months.at(-1) && (cooks.months.at(-1)?.in_date ?? 0) + (cooks.months.at(-1)?.expiring ?? 0),
    });
    const [course] = whole.courses;
    const byCourse = await report({ courses: [course?.id] });
    expect(byCourse.courses).toEqual([course]);
    const [primary, secondary, both] = await Promise.all(['primary', 'secondary', 'all'].map((compliance_type) => report({ compliance_type })));
    const asked = (r: { months: ComplianceReport['months'] } | undefined, i = -1) => r?.months.at(i)?.asked ?? 0;
    expect(asked(primary) + asked(secondary)).toBe(asked(both));
    expect(asked(primary, 3) + asked(secondary, 3)).toBe(asked(both, 3));
    const starters = await report({ new_starters_filter: 'new_starters_only' });
    const others = await report({ new_starters_filter: 'exclude_new_starters' });
    expect(asked(starters) + asked(others)).toBe(asked(whole));
    expect(asked(starters)).toBeGreaterThan(0);

    // People and tags that are chosen: now, and the months that were stored with their people.
    const amara = demoId('user:learner@willowbrook.test');
    const person = await report({ users: [amara] });
    expect(person.entities.map((e) => e.id)).toEqual([house]);
    const tag = randomUUID();
    await db().run(sql`insert into tags (id, entity_id, name) values (${tag}, ${group}, 'Night staff')`);
    await db().run(sql`insert into tag_users (tag_id, user_id) values (${tag}, ${amara})`);
    expect(asked(await report({ tags: [tag] }))).toBe(asked(person));
    const tagged = (await lines('tags')).lines.find((t) => t.id === tag);
    expect(tagged?.asked).toBe(asked(person));
    const [role] = (await lines(`${tag}/roles`)).lines;
    expect((await lines(`${tag}/${role?.id}/users`)).lines.map((u) => u.id)).toEqual([amara]);
    expect((await report({ previousMonths: 0 })).status).toBe(422);
    expect((await report({ month: '2026-13' })).status).toBe(422);
  });

  it('is taken as a file with the numbers of the screen, with the permission for it', async () => {
    const question = { entities: [house], compliance_type: 'all' };
    const { entities, months } = await report(question);
    const file = (format: string, client = admin) => client.send('POST', `/reports/compliance/rows/file?format=${format}`, question);
    const csv = await file('csv');
    const [heads = '', line = ''] = csv.body.trim().split(/\r?\n/);
    expect(heads.split(',')).toHaveLength(4 + months.length - 1);
    const { required, in_date } = last(entities[0] as Part);
    expect(line.replaceAll('"', '').split(',').slice(0, 4)).toEqual([
      'Willowbrook House',
      String(required),
      String(in_date),
      String(scoreOf({ required, in_date })),
    ]);
    expect((await file('pdf')).body.slice(0, 5)).toBe('%PDF-');
    const workbook = await file('xlsx');
    expect([workbook.statusCode, workbook.headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/compliance report Priya Raman \d\d-\d\d-\d{4}\.xlsx/),
    ]);
    const direct = await admin.send('POST', '/reports/compliance', { ...question, directFormat: 'xlsx' });
    expect([direct.statusCode, direct.headers.location]).toEqual([307, '/api/reports/compliance/rows/file?format=xlsx']);
    const types = await db().all<{ type_id: string; permission_id: number }>(
      sql`delete from type_permissions where permission_id in (16, 17) returning type_id, permission_id`,
    );
    const places = await db().all<{ entity_id: string; permission_id: number }>(
      sql`delete from entity_permissions where permission_id in (16, 17) returning entity_id, permission_id`,
    );
    later();
    expect([(await file('pdf')).statusCode, (await file('xlsx')).statusCode, (await file('csv')).statusCode]).toEqual([403, 403, 403]);
    expect((await report(question)).status).toBe(200);
    for (const row of types) await db().run(insertRow('type_permissions', row));
    for (const row of places) await db().run(insertRow('entity_permissions', row));
    later();
  });

  it('shows a month that is over as it was then, whatever is entered later', async () => {
    const person = randomUUID();
    const [course, place] = [randomUUID(), randomUUID()];
    const role = randomUUID();
    await db().run(
      sql`insert into entities (id, name, slug, level, parent_id, created_at) values (${place}, 'The Lodge', 'the-lodge', 'B', ${group}, now() - interval '2 years')`,
    );
    await db().run(sql`insert into courses (id, title, short_title, entity_id) values (${course}, 'Bed rails', 'Bed rails', ${group})`);
    await db().run(sql`insert into roles (id, entity_id, name) values (${role}, ${place}, 'Night carer')`);
    await db().run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${role}, ${course}, 'primary')`);
    await db().run(
      sql`insert into users (id, name, email, primary_entity_id, role_id, started_on) values (${person}, 'Una Bell', 'una@lodge.test', ${place}, ${role}, current_date - 700)`,
    );
    later();
    const month = (back: number) => addMonthsToDay(thisMonth(), -back);
    const end = (back: number) => new Date(Date.parse(`${month(back - 1)}T00:00:00Z`) - 7_200_000);
    const at = (back: number) => new Date(Date.parse(`${month(back)}T12:00:00Z`) + 5 * 86_400_000);
    const add = (origin: string, completed: Date, recorded: Date) =>
      db().run(sql`insert into results (id, user_id, course_id, type, origin, completed_at, expires_at, expiry, created_at, changed_at)
        values (${randomUUID()}, ${person}, ${course}, 'historical', ${origin}, ${completed}, ${new Date(completed.getTime() + 95 * 86_400_000)}, 'day', ${recorded}, ${recorded})`);
    // Brought with her, then expired; then done, but the certificate was submitted a month later.
    await add('import', at(9), new Date());
    await add('manual', at(4), at(3));
    for (const back of [8, 5, 4, 3, 2])
      await writeMonths(db(), [{ entity_id: place, month: month(back), final: true, computed: false }], end(back), new Date());
    const lodge = async () => {
      await expect.poll(async () => (await report({ entities: [place] })).status, { timeout: 45_000 }).toBe(200);
      return new Map((await report({ entities: [place] })).months.map((m) => [m.month, m.score]));
    };
    const before = await lodge();
    const score = (back: number) => before.get(month(back).slice(0, 7));
    expect([score(8), score(5), score(4), score(3), score(2)]).toEqual([100, 0, 0, 100, 100]);
    // Withdrawn today: the past figures stay, and today's change.
    await db().run(
      sql`update results set status = 'deleted', change = 'deleted', changed_at = ${server.clock.now} where user_id = ${person} and origin = 'manual'`,
    );
    const after = await lodge();
    for (const back of [8, 5, 4, 3, 2]) expect(after.get(month(back).slice(0, 7))).toBe(before.get(month(back).slice(0, 7)));
    expect(after.get(thisMonth().slice(0, 7))).toBe(0);
    // Written again at the same time by two servers, nothing changes; and the database refuses updates.
    await Promise.all([0, 1].map(() => writeMonths(db(), [{ entity_id: place, month: month(3), final: true, computed: true }], end(3), new Date())));
    expect(await lodge()).toEqual(after);
    await expect(db().run(sql`update compliance_months set people = 9 where entity_id = ${place} and final`)).rejects.toThrow(
      'stays as it was counted',
    );
    await expect(db().run(sql`update compliance_counts set in_date = 1`)).rejects.toThrow('not changed');
    // The state known at an instant is that of the versions of that time.
    const known = (when: Date) => db().one<{ n: number }>(sql`select length(cells) / 12 as n from standings_at(array[${person}]::uuid[], ${when})`);
    expect((await known(at(3)))?.n).toBe(1);
    expect((await known(new Date(0)))?.n).toBeUndefined();
    // Who is behind a past month: its organisations and job roles as they were counted, its people from what was known then.
    const then = (back: number) => `month=${month(back).slice(0, 7)}`;
    const behind = async (back: number) => (await lines(`${place}/${role}/users?${then(back)}`)).lines.map((l) => [l.name, l.score]);
    expect(await Promise.all([8, 5, 4, 3, 2, 30].map(behind))).toEqual([...[100, 0, 0, 100, 100].map((n) => [['Una Bell', n]]), []]);
    expect((await lines(`${place}/${role}/users`)).lines).toMatchObject([{ name: 'Una Bell', score: 0 }]);
    for (const path of [`entities?entity=${place}&`, `${place}/roles?`]) {
      expect((await lines(`${path}${then(3)}`)).lines, path).toMatchObject([{ required: 1, expired: 0, score: 100 }]);
      expect((await lines(`${path}${then(5)}`)).lines, path).toMatchObject([{ required: 1, expired: 1, score: 0 }]);
    }
    expect((await lines(`entities?entity=${place}&${then(30)}`)).lines).toMatchObject([{ asked: 0, score: null }]);
    // A counted person stays listed, whatever is recorded about her later; without a list, people who had left by then are excluded.
    await db().run(sql`update users set disabled_at = ${at(3)} where id = ${person}`);
    expect([await behind(4), await behind(3), (await lines(`${place}/${role}/users`)).lines]).toEqual([[['Una Bell', 0]], [['Una Bell', 100]], []]);
    await db().run(sql`delete from compliance_months where entity_id = ${place} and month = ${month(3)}`);
    expect([await behind(4), await behind(3)]).toEqual([[['Una Bell', 0]], []]);
    await writeMonths(db(), [{ entity_id: place, month: month(3), final: true, computed: true }], end(3), new Date());
    expect(await behind(3)).toEqual([]);
    for (const path of [`entities?entity=${place}&`, `tags?`, `${place}/roles?`, `${place}/${role}/users?`]) {
      expect((await lines(`${path}${then(0)}`)).status, path).toBe(422);
      for (const wrong of ['2026-13', '0000-01']) expect((await lines(`${path}month=${wrong}`)).status, path).toBe(422);
      expect((await lines(`${path}${then(3)}`)).status, path).toBe(200);
    }
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    expect((await lines(`${place}/${role}/users?${then(4)}`, manager)).status).toBe(404);
  });

  it('shows a month that is over with those who were there then, wherever they are now', async () => {
    const [north, south, course] = [randomUUID(), randomUUID(), randomUUID()];
    const [nurse, porter, second] = [randomUUID(), randomUUID(), randomUUID()];
    const [moved, promoted, left, back] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const [id, slug] of [
      [north, 'north'],
      [south, 'south'],
    ] as const)
      await db().run(
        sql`insert into entities (id, name, slug, level, parent_id, created_at) values (${id}, ${slug}, ${slug}, 'B', ${group}, now() - interval '2 years')`,
      );
    await db().run(sql`insert into courses (id, title, short_title, entity_id) values (${course}, 'Wards', 'Wards', ${group})`);
    for (const id of [nurse, porter, second]) await db().run(sql`insert into roles (id, entity_id, name) values (${id}, ${group}, ${id})`);
    for (const id of [nurse, second])
      await db().run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${id}, ${course}, 'primary')`);
    for (const [id, name] of [
      [moved, 'Mo Moved'],
      [promoted, 'Pat Promoted'],
      [left, 'Lee Left'],
      [back, 'Bo Back'],
    ] as const)
      await db().run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
        values (${id}, ${name}, ${`${id}@ward.test`}, ${north}, ${id === promoted ? porter : nurse}, current_date - 700)`);
    later();
    // Pat's second job role requires the course.
    await db().run(sql`insert into user_roles (user_id, role_id) values (${promoted}, ${second})`);
    await db().run(sql`delete from past_placements where user_id = ${promoted}`);
    const change = (id: string, body: object) => admin.json('PATCH', `/users/${id}`, body);
    expect((await change(moved, { primary_entity_id: south })).status).toBe(200);
    expect((await change(promoted, { role_id: nurse, more_role_ids: [] })).status).toBe(200);
    expect((await change(left, { disabled: true })).status).toBe(200);
    expect((await change(back, { disabled: true })).status).toBe(200);
    expect((await change(back, { disabled: false, primary_entity_id: south, role_id: porter })).status).toBe(200);
    const month = addMonthsToDay(thisMonth(), -1);
    const end = new Date(Date.parse(`${thisMonth()}T00:00:00Z`) - 7_200_000);
    const then = `month=${month.slice(0, 7)}`;
    const names = async (path: string, client = admin) => (await lines(path, client)).lines.map((l) => l.name).sort();
    expect(await names(`${north}/${nurse}/users?${then}`)).toEqual(['Bo Back', 'Lee Left', 'Mo Moved']);
    expect(await names(`${north}/${porter}/users?${then}`)).toEqual(['Pat Promoted']);
    expect(await names(`${south}/${nurse}/users?${then}`)).toEqual([]);
    expect([await names(`${north}/${nurse}/users`), await names(`${south}/${nurse}/users`)]).toEqual([['Pat Promoted'], ['Mo Moved']]);
    // A month counted after they moved counts them where they were, with the requirements there.
    await writeMonths(db(), [{ entity_id: north, month, final: true, computed: false }], end, new Date());
    await writeMonths(db(), [{ entity_id: south, month, final: true, computed: false }], end, new Date());
    expect((await lines(`entities?entity=${north}&${then}`)).lines).toMatchObject([{ asked: 4, missing: 4 }]);
    expect((await lines(`entities?entity=${south}&${then}`)).lines).toMatchObject([{ asked: 0 }]);
    // People who see only one of the two houses see there only people whom they see today.
    await db().run(sql`update users set primary_entity_id = ${north} where email = 'manager@willowbrook.test'`);
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    try {
      expect(await names(`${north}/${nurse}/users?${then}`, manager)).toEqual(['Lee Left']);
    } finally {
      await db().run(sql`update users set primary_entity_id = ${house} where email = 'manager@willowbrook.test'`);
    }
  });

  it('lists who was behind a month as they were counted, whatever is asked, marked or moved later', async () => {
    const [east, fire, water, tag, wholeTag] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [carer, driver] = [randomUUID(), randomUUID()];
    const [ann, bob, cem] = [randomUUID(), randomUUID(), randomUUID()];
    await db().run(
      sql`insert into entities (id, name, slug, level, parent_id, created_at) values (${east}, 'East', 'east', 'B', ${group}, now() - interval '2 years')`,
    );
    for (const [id, title] of [
      [fire, 'East fire'],
      [water, 'East water'],
    ] as const)
      await db().run(sql`insert into courses (id, title, short_title, entity_id) values (${id}, ${title}, ${title}, ${group})`);
    for (const id of [carer, driver]) await db().run(sql`insert into roles (id, entity_id, name) values (${id}, ${group}, ${`East ${id}`})`);
    const rule = randomUUID();
    await db().run(sql`insert into compliance (id, role_id, course_id, type) values (${rule}, ${carer}, ${fire}, 'primary')`);
    await db().run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${driver}, ${fire}, 'secondary')`);
    for (const [id, name] of [
      [ann, 'Ann East'],
      [bob, 'Bob East'],
      [cem, 'Cem East'],
    ] as const)
      await db().run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
        values (${id}, ${name}, ${`${id}@east.test`}, ${east}, ${id === cem ? driver : carer}, current_date - 700)`);
    for (const [id, name] of [
      [tag, 'East nights'],
      [wholeTag, 'East all'],
    ] as const)
      await db().run(sql`insert into tags (id, entity_id, name) values (${id}, ${group}, ${name})`);
    await db().run(sql`insert into tag_users (tag_id, user_id) values (${tag}, ${ann})`);
    await db().run(sql`insert into tag_entities (tag_id, entity_id) values (${wholeTag}, ${east})`);
    const month = addMonthsToDay(thisMonth(), -1);
    const end = new Date(Date.parse(`${thisMonth()}T00:00:00Z`) - 7_200_000);
    const done = async (who: string, id: string, type: string) =>
      db().run(sql`insert into results (id, user_id, course_id, type, origin, completed_at, expires_at, expiry, created_at, changed_at)
        values (${randomUUID()}, ${who}, ${id}, ${type}, 'import', ${new Date(end.getTime() - 40 * 86_400_000)}, ${new Date(end.getTime() + 400 * 86_400_000)}, 'day', now(), now())`);
    await done(ann, fire, 'exempt');
    await writeMonths(db(), [{ entity_id: east, month, final: true, computed: false }], end, new Date());
    later();
    const then = `month=${month.slice(0, 7)}&compliance_type=all`;
    /** What the report of chosen people says of the month, with the part of East in it. */
    const monthOf = async (filter: object) => {
      const { months, courses, entities } = await report({ compliance_type: 'all', month: month.slice(0, 7), ...filter });
      const { asked, in_date, missing, exempt } = months.at(-2) ?? {};
      expect(months.map((m) => m.month)).toEqual(months.map((_, i) => addMonthsToDay(thisMonth(), i + 1 - months.length).slice(0, 7)));
      const part = entities.find((e) => e.id === east);
      const course = courses.findIndex((c) => c.id === fire);
      return [
        asked,
        in_date,
        missing,
        exempt,
        part?.required.at(-2),
        part?.in_date.at(-2),
        part?.course_in_date[course],
        courses[course]?.in_date.at(-2),
      ];
    };
    const seen = async () => {
      const shown = async (path: string) =>
        (await lines(`${path}${then}`)).lines
          .filter((l) => !path.startsWith('tags') || l.name.startsWith('East'))
          .map((l) => [l.name, l.asked, l.in_date, l.missing, l.exempt, l.worked_out ?? false])
          .sort();
      return {
        places: await shown(`entities?entity=${east}&`),
        roles: await shown(`${east}/roles?`),
        people: await shown(`${east}/${carer}/users?`),
        primary: (await lines(`${east}/${driver}/users?month=${month.slice(0, 7)}`)).lines.map((l) => [l.name, l.asked]),
        ofCourse: await shown(`${east}/${carer}/users?courses=${water}&`),
        ...{ tags: await shown('tags?'), tagRoles: await shown(`${tag}/roles?`), tagPeople: await shown(`${wholeTag}/${driver}/users?`) },
        chosen: [
          await monthOf({ tags: [tag] }),
          await monthOf({ tags: [wholeTag] }),
          await monthOf({ tags: [tag, wholeTag], roles: [driver] }),
          await monthOf({ users: [ann, cem], compliance_type: 'primary' }),
        ],
      };
    };
    const before = await seen();
    expect(before).toEqual({
      places: [['East', 3, 1, 2, 1, false]],
      roles: [
        [`East ${carer}`, 2, 1, 1, 1, false],
        [`East ${driver}`, 1, 0, 1, 0, false],
      ].sort(),
      people: [
        ['Ann East', 1, 1, 0, 1, false],
        ['Bob East', 1, 0, 1, 0, false],
      ],
      primary: [['Cem East', 0]],
      ofCourse: [
        ['Ann East', 0, 0, 0, 0, false],
        ['Bob East', 0, 0, 0, 0, false],
      ],
      tags: [
        ['East all', 3, 1, 2, 1, false],
        ['East nights', 1, 1, 0, 1, false],
      ],
      tagRoles: [[`East ${carer}`, 1, 1, 0, 1, false]],
      tagPeople: [['Cem East', 1, 0, 1, 0, false]],
      chosen: [
        [1, 1, 0, 1, 1, 1, 1, 1],
        [3, 1, 2, 1, 3, 1, 1, 1],
        [1, 0, 1, 0, 1, 0, 0, 0],
        [1, 1, 0, 1, 1, 1, 1, 1],
      ],
    });
    // The rules change: one more course, another kind, a later day; another course counts as well; a certificate is found; tags, roles and start change.
    await db().run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${carer}, ${water}, 'primary')`);
    await db().run(sql`update compliance set type = 'secondary', required_from = current_date where id = ${rule}`);
    await db().run(sql`delete from compliance where role_id = ${driver}`);
    await db().run(sql`insert into course_links (entity_id, course_id, kind, other_id) values (${east}, ${fire}, 'alternative', ${water})`);
    await done(bob, water, 'historical');
    await done(cem, fire, 'historical');
    await db().run(sql`delete from tag_users where tag_id = ${tag}`);
    await db().run(sql`delete from tag_entities where tag_id = ${wholeTag}`);
    await db().run(sql`insert into tag_users (tag_id, user_id) values (${tag}, ${cem})`);
    await db().run(sql`update entities set starter_period_days = 365, expiry_warning_days = 1 where id = ${east}`);
    await db().run(sql`update users set started_on = current_date where id = ${bob}`);
    await db().run(sql`update users set role_id = ${driver} where id = ${ann}`);
    later();
    expect(await seen()).toEqual(before);
    // A list belongs to its month: it is not changed, and is deleted with it.
    await expect(db().run(sql`update compliance_people set people = '{}'`)).rejects.toThrow('not changed');
    await expect(db().run(sql`update compliance_tags set people = '{}'`)).rejects.toThrow('not changed');
    // Without a list, as for months from before lists existed, the answer says that it was computed from what is known today.
    await db().run(sql`delete from compliance_months where entity_id = ${east} and final`);
    const { people, tags, chosen } = await seen();
    expect(chosen.map(([asked]) => asked)).toEqual([0, 0, 0, 0]);
    expect([people, tags]).toEqual([
      [['Ann East', 1, 0, 1, 0, true]],
      [
        ['East all', 0, 0, 0, 0, false],
        ['East nights', 0, 0, 0, 0, true],
      ],
    ]);
  });

  it('is written when a month is over, for every organisation, once', async () => {
    const rows = () =>
      db().all<{ entity_id: string; n: number; computed: boolean }>(
        sql`select entity_id, count(*)::int as n, bool_or(computed) as computed from compliance_months where final and month = ${thisMonth()} group by entity_id`,
      );
    const over = thisMonth();
    expect(await rows()).toEqual([]);
    const before = server.clock.now;
    const next = Date.parse(`${addMonthsToDay(over, 1)}T03:00:00Z`);
    server.clock.now = new Date(next);
    try {
      const written = () =>
        db().all<{ n: number; computed: boolean }>(
          sql`select count(*)::int as n, bool_or(computed) as computed from compliance_months where final and month = ${over} group by entity_id`,
        );
      const client = server.client();
      await client.signIn('admin@willowbrook.test');
      expect((await report({}, client)).status).toBe(202);
      await expect.poll(async () => (await report({}, client)).status, { timeout: 45_000 }).toBe(200);
      const all = await written();
      const entities = await db().one<{ n: number }>(sql`select count(*)::int as n from entities`);
      await expect.poll(async () => (await written()).length, { timeout: 45_000 }).toBe(entities?.n);
      expect(all.every((m) => m.n === 1 && !m.computed)).toBe(true);
      const { months } = await report({}, client);
      expect(months.at(-2)).toMatchObject({ month: over.slice(0, 7), source: 'kept' });
      expect(months.at(-1)?.source).toBe('now');
    } finally {
      server.clock.now = before;
    }
  });

  it('answers 202 while very many are counted, and 300 where that is too many to wait for', async () => {
    const place = randomUUID();
    await db().run(sql`insert into entities (id, name, slug, level, parent_id) values (${place}, 'Many', 'many', 'B', ${group})`);
    await db().run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
      select gen_random_uuid(), 'Person ' || p, 'p' || p || '@many.test', ${place}, ${cook}, current_date - 1000 from generate_series(1, 3010) p`);
    await db().run(
      sql`insert into compliance_months (entity_id, month, final, people, counted_at) select ${place}, ${thisMonth()}::date - make_interval(months => i), true, 0, now() from generate_series(1, 12) i`,
    );
    later();
    const first = await report();
    expect([first.status, first.months]).toEqual([202, []]);
    await expect.poll(async () => (await report()).status, { timeout: 60_000 }).toBe(200);
    const many = (await report()).entities.find((e) => e.id === place);
    const perCook = (await lines(`${house}/${cook}/users`)).lines[0]?.asked ?? 0;
    expect(last(many as Part).required).toBe(3010 * perCook);
    const tag = randomUUID();
    await db().run(sql`insert into tags (id, entity_id, name) values (${tag}, ${group}, 'Everybody')`);
    await db().run(sql`insert into tag_entities (tag_id, entity_id) values (${tag}, ${place})`);
    const tooLarge = await admin.json<{ code: string; message: string; expected_seconds: number }>('POST', '/reports/compliance', {
      entities: [],
      tags: [tag],
    });
    expect([tooLarge.status, tooLarge.body.code]).toEqual([300, 'report_too_large']);
    expect(tooLarge.body.message).toContain('it covers 3,010 people, and at most 3,000 are counted at once. It may take up to a minute.');
    expect(tooLarge.body.expected_seconds).toBe(1);
    // By e-mail it is made all the same: nobody waits for it.
    const mailed = { entities: [], tags: [tag], emailFormat: 'xlsx' };
    const sentTo = await admin.send('POST', '/reports/compliance', mailed);
    expect([sentTo.statusCode, sentTo.headers.location]).toEqual([307, '/api/reports/compliance/rows']);
    const asked = await admin.json<{ data: unknown[]; message: string }>('POST', '/reports/compliance/rows', mailed);
    expect(asked.body).toMatchObject({ data: [], message: 'Report requested. You will receive an email soon.' });
    const sent = () =>
      db().one<{ state: string; rows: number; problem: string | null }>(
        sql`select state, rows, problem from report_deliveries where report = 'compliance'`,
      );
    await expect.poll(sent, { timeout: 45_000 }).toEqual({ state: 'sent', rows: 1, problem: null });
    expect((await lines(`${place}/${cook}/users`)).status).toBe(300);
  });

  it('shows nobody anything of other organisations', async () => {
    const outsider = server.client();
    await outsider.signIn('admin@brightpath.test');
    const others = await report({ entities: [house, group] }, outsider);
    expect([others.entities, others.courses, others.chosen.entities]).toEqual([[], [], []]);
    expect((await report({ users: [demoId('user:learner@willowbrook.test')] }, outsider)).entities).toEqual([]);
    for (const path of [`entities?entity=${house}`, `${house}/roles`, `${house}/${cook}/users`])
      expect((await lines(path, outsider)).status).toBe(404);
    const courses = (await admin.json<{ data: { title: string }[] }>('GET', '/reports/compliance/courses')).body.data.map((c) => c.title);
    expect(courses).toContain('Fire safety');
    expect((await outsider.json<{ data: unknown[] }>('GET', '/reports/compliance/courses')).body.data).not.toContainEqual(
      expect.objectContaining({ title: 'Bed rails' }),
    );
    // One service only, for people who work there.
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    const own = await report({}, manager);
    expect(own.entities.map((e) => e.id)).toEqual([house]);
    expect(scoreOf(last(own.entities[0] as Part))).toBe(own.months.at(-1)?.score);
  });
});

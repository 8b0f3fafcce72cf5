import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { courseStanding } from '#contract/api/compliance.ts';
import type { CourseStanding, PersonCompliance, PersonEvent } from '#contract/entities/compliance.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T };
const amara = demoId('user:learner@willowbrook.test');

describe('why somebody stands with a course as they do', () => {
  let server: TestApp;
  let admin: TestClient;
  let learner: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    [admin, learner] = [server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
  });
  afterAll(() => server.close());
  const why = async (course: string, by = admin) =>
    (await by.json<Answer<CourseStanding>>('GET', `/users/${amara}/courses/${course}/standing`)).body.data;
  const must = async () => (await admin.json<Answer<PersonCompliance[]>>('GET', `/users/${amara}/compliant-courses`)).body.data;

  it('says of every required course what its list says, by which rule and which result', async () => {
    for (const listed of await must()) {
      const standing = await why(listed.course_id);
      expect(courseStanding.response.safeParse(standing).error).toBeUndefined();
      expect(standing).toMatchObject({
        status: listed.status,
        reason: listed.reason,
        due_at: listed.due_at,
        place: { slug: 'willowbrook-house' },
        rule: { type: listed.type, role: { name: 'Care assistant' } },
      });
      // Stored standings have a precision of a second.
      const second = (at: string | null | undefined) => at?.slice(0, 19) ?? null;
      expect([second(standing.result?.completed_at), second(standing.result?.expires_at)]).toEqual([
        second(listed.completed_at),
        second(listed.expires_at),
      ]);
      expect(standing.needs.length > 0).toBe(['expired', 'missing', 'expiring', 'starter'].includes(listed.status));
      // The reader cannot start a course required of somebody else.
      expect(standing.contents).toEqual([]);
    }
    const [first] = await must();
    const own = await why(first?.course_id ?? '', learner);
    for (const content of own.contents) expect(content.course_id).toBe(first?.course_id);
  }, 90_000);

  it('says of a step of a pathway how far it is, and lists what the number in the list of people counts', async () => {
    const { db } = server.database;
    const [pathway, course] = [randomUUID(), demoId('course:Communication')];
    await db.run(
      sql`insert into pathways (id, entity_id, name, created_at, updated_at) values (${pathway}, ${demoId('entity:group')}, 'First weeks', now(), now())`,
    );
    await db.run(sql`insert into pathway_steps (pathway_id, place, course_id, within_days) values (${pathway}, 0, ${course}, 14)`);
    const since = dayIn(server.clock.now, 'Europe/London');
    await db.run(sql`insert into pathway_allocations (id, pathway_id, user_id, allocated_on, allocated_by)
      values (gen_random_uuid(), ${pathway}, ${amara}, ${since}, ${demoId('user:admin@willowbrook.test')})`);
    await forgetResults(db, sql`user_id = ${amara} and course_id = ${course}`);
    const standing = await why(course);
    expect(courseStanding.response.safeParse(standing).error).toBeUndefined();
    expect(standing.steps).toContainEqual({
      ...{ pathway: { id: pathway, name: 'First weeks' }, since, state: 'due', done_at: null, due_on: addDays(since, 14) },
    });
    const events = (await admin.json<Answer<PersonEvent[]>>('GET', `/users/${amara}/events`)).body.data;
    const [listed] = (await admin.json<Answer<UserRow[]>>('GET', `/users?ids=${amara}`)).body.data;
    const counted = (status: string) => events.filter((e) => e.status === status).length;
    const required = await must();
    expect(listed?.courses).toEqual({
      ...{ current: counted('current'), overdue: counted('overdue'), completed: counted('completed') },
      ...{ required: required.length, required_overdue: required.filter((c) => complianceColourOf[c.status] === 'red').length },
    });
    expect(events.find((e) => e.course_id === course)?.reason).toBe(standing.reason);
  });

  it('names who exempted and why, the alternative with who says so, the missing part, and the next session with a free place', async () => {
    const { db } = server.database;
    const [course, other] = [demoId('course:Basic life support'), demoId('course:Emergency first aid at work')];
    const today = dayIn(server.clock.now, 'Europe/London');
    await db.run(
      sql`update results set status = 'deleted' where user_id = ${amara} and course_id = any(${[course, other]}::uuid[]) and status = 'approved'`,
    );
    await db.run(sql`update training_sessions set cancelled_at = now() where course_id = ${course}`);
    const trainer = demoId('user:admin@willowbrook.test');
    for (const [id, days, places] of [
      ['00000000-0000-4000-8000-000000000001', 3, 0],
      ['00000000-0000-4000-8000-000000000002', 9, 4],
    ] as const)
      await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, created_by, created_at)
        values (${id}, ${demoId('entity:home')}, ${course}, ${trainer}, ${addDays(today, days)}, '09:00', '12:00', 'Town hall', '', '', ${Math.max(1, places)}, 'attendance', ${trainer}, now())`);
    await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
      values (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', ${demoId('user:grace.adeyemi@willowbrook.test')}, 'Grace', ${trainer}, now())`);
    expect(await why(course)).toMatchObject({
      ...{ result: null, needs: [{ id: course }] },
      sessions: [{ id: '00000000-0000-4000-8000-000000000002', venue: 'Town hall', on: addDays(today, 9), free: 4, booked: false }],
    });

    // A training company's session is nearer: it is shown with its provider; the form lists both, the soonest first.
    const [company, house] = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004'];
    const brightpath = demoId('entity:brightpath');
    await db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
      values (gen_random_uuid(), ${brightpath}, ${demoId('entity:group')}, ${trainer}, now()) on conflict do nothing`);
    const giver = demoId('user:admin@brightpath.test');
    const planned = (id: string, entity: string, days: number, start: string, by: string, more: { to?: string; most?: number } = {}) =>
      db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, available_to, created_by, created_at)
        values (${id}, ${entity}, ${course}, ${by}, ${addDays(today, days)}, ${start}, '23:59', 'Bridge Street', '', '', ${more.most ?? 5}, 'attendance', ${more.to ?? 'clients'}, ${by}, now())`);
    await planned(company, brightpath, 4, '09:00', giver);
    expect((await why(course)).sessions).toMatchObject([
      { id: company, on: addDays(today, 4), free: 5, booked: false, register: false, course_id: course, company: { id: brightpath } },
    ]);
    const listed = async () =>
      (
        await admin.json<Answer<{ id: string }[]>>('GET', `/bookings/calendar?from=${today}&until=${addDays(today, 90)}&open=true&course=${course}`)
      ).body.data.map((s) => s.id);
    expect(await listed()).toEqual(['00000000-0000-4000-8000-000000000001', company, '00000000-0000-4000-8000-000000000002']);
    // The organisation's own session that is nearer still, but not one that has begun or is not offered.
    await planned(house, demoId('entity:home'), 2, '09:00', trainer);
    await planned(randomUUID(), demoId('entity:home'), 0, '00:00', trainer);
    await planned(randomUUID(), brightpath, 1, '09:00', giver, { to: 'own' });
    expect((await why(course)).sessions).toMatchObject([{ id: house, on: addDays(today, 2), register: true, company: null }]);
    // A full session is skipped; a booked person is shown theirs, whoever its provider is.
    await db.run(sql`update training_sessions set max_delegates = 1 where id = ${house}`);
    await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
      values (gen_random_uuid(), ${house}, ${demoId('user:grace.adeyemi@willowbrook.test')}, 'Grace', ${trainer}, now())`);
    expect((await why(course)).sessions).toMatchObject([{ id: company }]);
    await db.run(sql`update training_sessions set date = date + 30 where id = ${company}`);
    await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
      values (gen_random_uuid(), ${company}, ${amara}, 'Amara', ${trainer}, now())`);
    for (const reader of [admin, learner]) expect((await why(course, reader)).sessions).toMatchObject([{ id: company, booked: true }]);

    const patch = (body: object) => admin.json('PATCH', `/entities/willowbrook/courses/${course}/rules`, body);
    await patch({ parts: { theory_id: course, practical_id: other } });
    const [done] = await recordResults(
      db,
      [{ user_id: amara, course_id: course, type: 'face2face', origin: 'manual', completed: addDays(today, -5) }],
      server.clock.now,
    );
    const half = await why(course);
    expect(half).toMatchObject({
      result: null,
      parts: [{ name: 'theory' }, { name: 'practical', course: { id: other }, completed_at: null }],
      needs: [{ id: other }],
    });
    await patch({ parts: null });
    expect((await why(course)).result?.id).toBe(done);

    await db.run(sql`update results set status = 'deleted' where id = ${done ?? null}`);
    await recordResults(
      db,
      [
        {
          user_id: amara,
          course_id: other,
          type: 'exempt',
          origin: 'manual',
          completed: addDays(today, -5),
          note: 'A paramedic.',
          recorded_by: trainer,
        },
      ],
      server.clock.now,
    );
    await patch({ alternative_ids: [other] });
    const exempt = await why(course);
    expect(exempt).toMatchObject({
      ...{ status: 'in_date', needs: [], sessions: [] },
      result: { course: { id: other }, type: 'exempt', note: 'A paramedic.', recorded_by: { id: trainer } },
      alternative: { entity: { slug: 'willowbrook' } },
    });
    expect(exempt.reason).toMatch(/^Exempt since .+ from “Emergency first aid at work”, which counts as well\. It has no end\.$/);
  });

  it('is answered to who sees the person, and of a course that is theirs or one’s organisation’s', async () => {
    const rival = server.client();
    await rival.signIn('admin@brightpath.test');
    const course = demoId('course:Fire safety');
    expect((await rival.json('GET', `/users/${amara}/courses/${course}/standing`)).status).toBe(404);
    expect((await admin.json('GET', `/users/${amara}/courses/${demoId('course:none')}/standing`)).status).toBe(404);
  });
});

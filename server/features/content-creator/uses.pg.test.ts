import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content, ContentOverview, ContentUses, CourseDetail, CourseUses } from '#contract/entities/authored-content.ts';
import type { AuthoredLesson, AuthoredTopic } from '#contract/entities/authored-parts.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T };
const text = (words: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] } }];

describe('what is published, and who takes it', () => {
  let server: TestApp;
  let author: TestClient;
  let rival: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    [author, rival] = [server.client(), server.client()];
    await author.signIn('admin@willowbrook.test');
    await rival.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());
  const send = async <T>(method: 'POST' | 'PATCH', path: string, body: object) => (await author.json<Answer<T>>(method, path, body)).body.data;
  const get = async <T>(path: string, by = author) => (await by.json<Answer<T>>('GET', path)).body.data;
  /** An e-learning of one lesson with one topic, published. */
  const published = async (title: string) => {
    const course = await send<CourseDetail>('POST', '/courses', { title, short_title: 'Short' });
    const content = await send<Content>('POST', '/content', { type: 'elearning', course_id: course.id, title });
    const topic = await send<AuthoredTopic>('POST', '/topics', { title: 'Why', blocks: text('First.') });
    const lesson = await send<AuthoredLesson>('POST', '/lessons', { title: 'Basics' });
    await send('POST', `/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
    await send('POST', `/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
    return { course, topic, lesson, content: await send<Content>('POST', `/content/${content.id}/publish`, {}) };
  };
  const overview = () => get<ContentOverview>('/content/overview');

  it('does not let one author overwrite another’s course unseen', async () => {
    const { id, rev } = await send<CourseDetail>('POST', '/courses', { title: 'Bathing', short_title: 'Bath' });
    const first = await send<CourseDetail>('PATCH', `/courses/${id}`, { title: 'Bathing safely', rev });
    expect(first).toMatchObject({ title: 'Bathing safely', rev: rev + 1 });
    const late = await author.json<{ code: string; current: CourseDetail }>('PATCH', `/courses/${id}`, { title: 'Baths', rev });
    expect([late.status, late.body.code, late.body.current]).toEqual([409, 'rev_mismatch', first]);
    // Without it, as in the specification’s own call, the later change wins.
    expect((await send<CourseDetail>('PATCH', `/courses/${id}`, { title: 'Baths' })).rev).toBe(rev + 2);
  });

  it('offers again what was withdrawn as it was, and keeps what was written since as a draft', async () => {
    const { content, topic } = await published('Withdrawn');
    await send('PATCH', `/topics/${topic.id}`, { blocks: text('Half a') });
    await send('PATCH', `/content/${content.id}`, { published: false, aims: 'New aims' });
    const again = await send<Content>('PATCH', `/content/${content.id}`, { published: true });
    expect(again).toMatchObject({ published: true, version: 1, has_changes: true, changes: ['The aims.', 'What is written in the topic “Why”.'] });
    const next = await send<Content>('POST', `/content/${content.id}/publish`, {});
    expect(next).toMatchObject({ version: 2, has_changes: false, changes: [] });
  });

  it('counts what there is, and names what is changed and not published', async () => {
    const before = await overview();
    const { content, topic, lesson } = await published('Counted');
    await send('POST', '/content', { type: 'elearning', course_id: content.course.id, title: 'A draft' });
    const named = async () => (await overview()).changed.filter((c) => c.id === content.id).map((c) => c.title);
    const after = await overview();
    expect(after).toMatchObject({ courses: before.courses + 1, lessons: before.lessons + 1, topics: before.topics + 1, drafts: before.drafts + 1 });
    expect(after.contents.elearning).toBe(before.contents.elearning + 2);
    expect(await named()).toEqual([]);
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    // Saved again without a difference: nothing to publish.
    await send('PATCH', `/topics/${topic.id}`, { title: 'Why not' });
    expect(await named()).toEqual(['Counted']);
    await send('PATCH', `/topics/${topic.id}`, { title: 'Why' });
    expect(await named()).toEqual([]);
    expect((await author.json('DELETE', `/lessons/${lesson.id}`)).status).toBe(204);
    expect(await named()).toEqual(['Counted']);
  });

  it('says who uses a course, of what somebody sees', async () => {
    const { course, content } = await published('Used');
    const uses = () => get<CourseUses>(`/courses/${course.id}/uses`);
    const nobody = { people_in_it: 0, people_done: 0, people_required: 0 };
    expect(await uses()).toMatchObject({
      organisations: [{ own: true, inherited: true, roles: [] }],
      roles: [],
      pathways: [],
      sessions: [],
      ...nobody,
    });
    await send('POST', '/compliance', { role_id: demoId('role:group:care'), course_id: course.id, type: 'primary' });
    await send('POST', '/entities/willowbrook-house/courses', { course_id: course.id, role_ids: [demoId('role:group:care')] });
    await send('POST', '/entity-content', { entity_ids: [demoId('entity:home')], content_ids: [content.id] });
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    await learner.json('POST', `/users/${demoId('user:learner@willowbrook.test')}/attempts`, { content_id: content.id });
    const used = await uses();
    expect(used).toMatchObject({ roles: [{ id: demoId('role:group:care') }], people_in_it: 1 });
    const [own, house] = used.organisations;
    expect(own).toMatchObject({ slug: 'willowbrook', people_in_it: 1, people_required: used.people_required });
    // The course is of an organisation above the house: people there have it either way.
    expect(house).toMatchObject({
      slug: 'willowbrook-house',
      own: false,
      roles: [{ id: demoId('role:group:care') }],
      inherited: true,
      people_in_it: 1,
    });
    expect(house?.people_required).toBeGreaterThan(0);
    expect(house?.people_required).toBeLessThan(used.people_required);
    const later = await send<Content>('POST', '/content', { type: 'elearning', course_id: course.id, title: 'Later' });
    await send('PATCH', `/content/${later.id}`, { prerequisites: [{ prerequisite_contents: [{ id: content.id }] }] });
    expect(await get<ContentUses>(`/content/${content.id}/uses`)).toMatchObject({
      organisations: [{ slug: 'willowbrook-house', own: false, inherited: false, roles: [], people_in_it: 1 }],
      ...{ before: [{ id: later.id, title: 'Later' }], people_in_it: 1, people_required: used.people_required },
    });
    // Somebody in the house sees the house, and none of those beside it or above.
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    const theirs = await manager.json<Answer<CourseUses>>('GET', `/courses/${course.id}/uses`);
    if (theirs.status === 200) expect(theirs.body.data.organisations.map((o) => o.slug)).toEqual(['willowbrook-house']);
    else expect(theirs.status).toBe(403);
    for (const path of [`/courses/${course.id}/uses`, `/content/${content.id}/uses`]) expect((await rival.json('GET', path)).status).toBe(404);
  });

  const run = (statement: ReturnType<typeof sql>) => server.database.db.run(statement);
  const place = (at: string) => demoId(`entity:${at}`);
  const person = (email: string) => demoId(`user:${email}`);
  const needs = async (id: string, by = author) => (await get<CourseUses>(`/courses/${id}/uses`, by)).needed_by;

  it('says what keeps a course, counted of what somebody sees, and of the rest only that there is some', async () => {
    const { id } = await send<CourseDetail>('POST', '/courses', { title: 'Kept', short_title: 'Kept' });
    const [other, theirs] = [await send<CourseDetail>('POST', '/courses', { title: 'Kept too', short_title: 'Kept too' }), randomUUID()];
    // Uses in an organisation beside theirs: a job role that requires it, and a step of a pathway.
    await run(sql`insert into roles (id, entity_id, name) values (${theirs}, ${place('brightpath')}, 'Theirs')`);
    await run(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${theirs}, ${id}, 'primary')`);
    const refused = await author.json<{ message: string }>('DELETE', `/courses/${id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This course cannot be deleted: other organisations use it. Take back “Published” instead.',
    ]);
    expect(await needs(id)).toEqual(['other organisations use it']);

    await send('POST', '/compliance', { role_id: demoId('role:group:care'), course_id: id, type: 'primary' });
    const pathway = randomUUID();
    await run(sql`insert into pathways (id, entity_id, name, created_at, updated_at) values (${pathway}, ${place('group')}, 'Kept', now(), now())`);
    await run(sql`insert into pathway_steps (pathway_id, place, course_id) values (${pathway}, 1, ${id})`);
    await run(sql`insert into course_links (entity_id, course_id, kind, other_id) values (${place('group')}, ${id}, 'alternative', ${other.id})`);
    const plan = { startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', grading_method: 'attendance', maxDelegates: null };
    const when = { date: addDays(dayIn(server.clock.now, 'Europe/London'), 7), trainer_id: person('trainer@willowbrook.test') };
    const session = await send<Register>('POST', '/training-sessions', { ...plan, ...when, course_id: id });
    for (const who of ['learner', 'manager'])
      await run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
        values (${randomUUID()}, ${session.id}, ${person(`${who}@willowbrook.test`)}, ${who}, ${person('admin@willowbrook.test')}, now())`);
    expect(await needs(id)).toEqual([
      ...['1 job role requires it', '1 pathway has it as a step', '1 training session is of it', '1 rule of it names another course'],
      'other organisations use it',
    ]);
    expect(await needs(other.id)).toEqual(['1 rule of another course names it']);
    expect(await get<CourseUses>(`/courses/${id}/uses`)).toMatchObject({ sessions_to_come: 1, people_booked: 2 });
    // People who see all organisations see all of it counted.
    const everywhere = server.client();
    await everywhere.signIn('super@lantern.test');
    expect(await needs(id, everywhere)).toEqual([
      ...['2 job roles require it', '1 pathway has it as a step', '1 training session is of it', '1 rule of it names another course'],
    ]);
  });

  it('tells a content that somebody began and that was deleted from those that are there', async () => {
    const { course, content } = await published('Begun');
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    await learner.json('POST', `/users/${person('learner@willowbrook.test')}/attempts`, { content_id: content.id });
    await author.json('DELETE', `/content/${content.id}`);
    expect(await needs(course.id)).toEqual(['1 deleted content of it was begun by somebody']);
  });

  it('says what goes with a course, of what somebody sees', async () => {
    const { id } = await send<CourseDetail>('POST', '/courses', { title: 'Goes', short_title: 'Goes' });
    const goes = async () => (await get<CourseUses>(`/courses/${id}/uses`)).goes;
    expect(await goes()).toEqual({ trainers: 0, focused: [], presets: 0, schedules: 0, schedules_of_it_alone: 0, elsewhere: false });
    const both = JSON.stringify({ courses: [id, demoId('course:Fire safety')] });
    const alone = JSON.stringify({ courses: [id] });
    const preset = (at: string, owner: string, shared: boolean) =>
      run(sql`insert into report_presets (id, owner_id, entity_id, report, name, filter, shared, changed_at)
        values (${randomUUID()}, ${person(owner)}, ${place(at)}, 'matrix', 'Goes', ${both}::jsonb, ${shared}, now())`);
    const schedule = (at: string, owner: string, filter: string) =>
      run(sql`insert into report_schedules (id, owner_id, entity_id, name, report, filter, format, as_link, link_days, frequency, send_at, user_ids, role_ids, addresses, next_at, changed_at)
        values (${randomUUID()}, ${person(owner)}, ${place(at)}, 'Goes', 'matrix', ${filter}::jsonb, 'csv', false, 7, 'daily', '07:00', '{}', '{}', '{}', now(), now())`);
    const rivals = 'admin@brightpath.test';
    /** Of other organisations' uses only their existence is reported, until they are gone. */
    const elsewhereWith = async (has: () => Promise<unknown>, gone: () => Promise<unknown>) => {
      await has();
      const said = await goes();
      await gone();
      expect([said, (await goes()).elsewhere]).toEqual([
        { trainers: 0, focused: [], presets: 0, schedules: 0, schedules_of_it_alone: 0, elsewhere: true },
        false,
      ]);
    };
    await elsewhereWith(
      () => preset('brightpath', rivals, true),
      () => run(sql`delete from report_presets where name = 'Goes'`),
    );
    await elsewhereWith(
      () => schedule('brightpath', rivals, both),
      () => run(sql`delete from report_schedules where name = 'Goes'`),
    );
    await elsewhereWith(
      () => run(sql`insert into trainer_courses (user_id, course_id) values (${person(rivals)}, ${id})`),
      () => run(sql`delete from trainer_courses where course_id = ${id}`),
    );
    await elsewhereWith(
      () => run(sql`insert into entity_focused_courses (entity_id, course_id) values (${place('brightpath')}, ${id})`),
      () => run(sql`delete from entity_focused_courses where course_id = ${id}`),
    );
    await preset('group', 'admin@willowbrook.test', false);
    await preset('group', 'manager@willowbrook.test', true);
    // A colleague's private saved filters stay private.
    await preset('group', 'manager@willowbrook.test', false);
    await preset('brightpath', rivals, true);
    await schedule('group', 'admin@willowbrook.test', both);
    await schedule('home', 'manager@willowbrook.test', alone);
    await schedule('brightpath', rivals, alone);
    for (const who of ['trainer@willowbrook.test', rivals])
      await run(sql`insert into trainer_courses (user_id, course_id) values (${person(who)}, ${id})`);
    for (const at of ['home', 'brightpath']) await run(sql`insert into entity_focused_courses (entity_id, course_id) values (${place(at)}, ${id})`);
    expect(await goes()).toEqual({
      ...{ trainers: 1, focused: [{ id: place('home'), name: 'Willowbrook House' }] },
      ...{ presets: 2, schedules: 2, schedules_of_it_alone: 1, elsewhere: true },
    });
    expect((await author.json('DELETE', `/courses/${id}`)).status).toBe(204);
  });

  it('says what keeps a content', async () => {
    const { course, content } = await published('Offered');
    const kept = async () => (await get<ContentUses>(`/content/${content.id}/uses`)).needed_by;
    expect(await kept()).toEqual([]);
    await run(sql`insert into marketplace_items (id, entity_id, type, course_id, title, description, price_pence, vat_rate, licence_months, platform_share, published, available_to, created_by, created_at, changed_at)
      values (${randomUUID()}, ${content.entity.id}, 'elearning', ${course.id}, 'Offered', '', 100, 20, 12, 0, true, 'clients', ${person('admin@willowbrook.test')}, now(), now())`);
    expect(await kept()).toEqual(['an item of the marketplace']);
    expect((await author.json('DELETE', `/content/${content.id}`)).status).toBe(409);
    expect(await needs(course.id)).toEqual(['1 content belongs to it', '1 item of the marketplace is of it']);
    // Purchases are shown to the content's owner, and not to the organisations that use it.
    const lanterns = `/content/${demoId('content:fire-safety')}/uses`;
    const everywhere = server.client();
    await everywhere.signIn('super@lantern.test');
    expect((await get<ContentUses>(lanterns, everywhere)).needed_by).not.toEqual([]);
    expect((await get<ContentUses>(lanterns)).needed_by).toEqual([]);
  });

  it('lists contents of every type at once where no type is asked for', async () => {
    const all = await get<Content[]>('/content?per_page=100');
    expect(new Set(all.map((c) => c.type)).size).toBeGreaterThan(1);
    const one = await get<Content[]>('/content?per_page=100&type=scorm');
    expect(new Set(one.map((c) => c.type))).toEqual(new Set(['scorm']));
  });
});

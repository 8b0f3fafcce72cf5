import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content, ContentOverview, ContentUses, CourseDetail, CourseUses } from '#contract/entities/authored-content.ts';
import type { AuthoredLesson, AuthoredTopic } from '#contract/entities/authored-parts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
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
    // Without it, as in the specification’s own call, the later change stands.
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
    // Touched, and as it was before: nothing to be published.
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
    // Whoever is in the house sees the house, and none of those beside it or above.
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    const theirs = await manager.json<Answer<CourseUses>>('GET', `/courses/${course.id}/uses`);
    if (theirs.status === 200) expect(theirs.body.data.organisations.map((o) => o.slug)).toEqual(['willowbrook-house']);
    else expect(theirs.status).toBe(403);
    for (const path of [`/courses/${course.id}/uses`, `/content/${content.id}/uses`]) expect((await rival.json('GET', path)).status).toBe(404);
  });

  it('lists contents of every type at once where no type is asked for', async () => {
    const all = await get<Content[]>('/content?per_page=100');
    expect(new Set(all.map((c) => c.type)).size).toBeGreaterThan(1);
    const one = await get<Content[]>('/content?per_page=100&type=scorm');
    expect(new Set(one.map((c) => c.type))).toEqual(new Set(['scorm']));
  });
});

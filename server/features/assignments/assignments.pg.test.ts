import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CourseLine } from '#contract/entities/authored-content.ts';
import type { AvailableCourse, CourseCategory, EntityContent, EntityCourse, Tag } from '#contract/entities/assignment.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code: string; message: string; errors: Record<string, string[]> };
const care = demoId('role:group:care');
const amara = demoId('user:learner@willowbrook.test');

describe('what an organisation learns from', () => {
  let server: TestApp;
  let admin: TestClient;
  let superAdmin: TestClient;
  let learner: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, superAdmin, learner] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('super@lantern.test'),
      await signedIn('learner@willowbrook.test'),
    ];
  });
  afterAll(() => server.close());
  const one = async <T>(query: Parameters<typeof server.database.db.one>[0]) => (await server.database.db.one<T>(query)) as T;
  const available = async (client: TestClient, id: string, which = 'available-courses') =>
    (await client.json<Answer<AvailableCourse[]>>('GET', `/users/${id}/${which}`)).body.data;
  const courses = async (slug: string) => (await admin.json<Answer<EntityCourse[]>>('GET', `/entities/${slug}/courses?per_page=100`)).body.data;
  /** A course of the platform with one content to take. */
  const platformCourse = async (title: string) => {
    const from = await one<{ id: string; course_id: string }>(
      sql`select c.id, c.course_id from contents c join courses k on k.id = c.course_id where k.title = 'Fire safety' and c.type = 'elearning'`,
    );
    const [courseId, contentId] = [demoId(`course:${title}`), demoId(`content:${title}`)];
    const owner = demoId('entity:lantern');
    await server.database.db.run(sql`insert into courses (id, title, short_title, entity_id) values (${courseId}, ${title}, ${title}, ${owner})`);
    await server.database.db.run(
      sql`insert into contents (id, course_id, type, title, published, current_version, entity_id) values (${contentId}, ${courseId}, 'elearning', ${title}, true, 1, ${owner})`,
    );
    await server.database.db.run(
      sql`insert into content_versions (content_id, version, document, answer_keys) select ${contentId}, 1, document, answer_keys from content_versions where content_id = ${from.id} limit 1`,
    );
    return { courseId, contentId };
  };
  const readable = async (client: TestClient, contentId: string) => (await client.json('GET', `/content/${contentId}/document`)).status;

  it('is given by those who have it, to everybody or to some, and taken away again', async () => {
    const { courseId, contentId } = await platformCourse('Bed rails');
    expect(await readable(learner, contentId)).toBe(404);
    expect((await admin.json<Answer<null>>('POST', '/entities/willowbrook/courses', { course_id: courseId })).body.errors.course_id).toEqual([
      'Choose a course that your organisation has.',
    ]);
    const given = await superAdmin.json<Answer<EntityCourse>>('POST', '/entities/willowbrook/courses', { course_id: courseId });
    expect(given.body.data).toMatchObject({
      title: 'Bed rails',
      owner: { name: 'Lantern' },
      from: { slug: 'willowbrook' },
      given_here: true,
      roles: [],
      types: [],
      contents: 1,
    });
    expect(await readable(learner, contentId)).toBe(200);
    expect((await available(learner, amara)).find((c) => c.id === courseId)).toMatchObject({
      required: false,
      content_id: contentId,
      completed_at: null,
    });
    expect((await available(learner, amara, 'personal-development-courses')).some((c) => c.id === courseId)).toBe(true);
    expect((await courses('willowbrook-house')).find((c) => c.id === courseId)).toMatchObject({ from: { slug: 'willowbrook' }, given_here: false });

    const cook = await one<{ id: string }>(sql`select id from roles where entity_id = ${demoId('entity:group')} and id <> ${care} limit 1`);
    const narrowed = await admin.json<Answer<EntityCourse>>('PATCH', `/entities/willowbrook/courses/${courseId}`, { role_ids: [cook.id] });
    expect(narrowed.body.data.roles).toMatchObject([{ id: cook.id }]);
    expect(await readable(learner, contentId)).toBe(404);
    expect((await available(learner, amara)).some((c) => c.id === courseId)).toBe(false);
    // Required courses are always available.
    await server.database.db.run(
      sql`insert into compliance (id, role_id, course_id, type) values (${demoId('k:bed')}, ${care}, ${courseId}, 'primary')`,
    );
    expect(await readable(learner, contentId)).toBe(200);
    await server.database.db.run(sql`delete from compliance where id = ${demoId('k:bed')}`);
    await admin.json('PATCH', `/entities/willowbrook/courses/${courseId}`, { role_ids: [care] });
    expect(await readable(learner, contentId)).toBe(200);

    expect((await admin.json('DELETE', `/entities/willowbrook-house/courses/${courseId}`)).status).toBe(404);
    expect((await admin.json('DELETE', `/entities/willowbrook/courses/${courseId}`)).status).toBe(204);
    expect(await readable(learner, contentId)).toBe(404);
    expect(await one(sql`select array_agg(action order by no) as done from audit_log where subject_id = ${courseId}`)).toEqual({
      done: ['granted', 'updated', 'updated', 'revoked'],
    });
  });

  it('can be given to several places at once, or to none', async () => {
    const { courseId } = await platformCourse('Slings');
    const [house, branch] = [demoId('entity:home'), demoId('entity:branch')];
    const wrong = await superAdmin.json<Answer<null>>('POST', '/entity-courses', { entity_ids: [house, branch], course_ids: [courseId, amara] });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['course_id']]);
    expect((await courses('willowbrook-house')).some((c) => c.id === courseId)).toBe(false);
    const given = await superAdmin.json<Answer<object>>('POST', '/entity-courses', { entity_ids: [house, branch], course_ids: [courseId] });
    expect(given.body.data).toEqual({ given: 2 });
    expect((await courses('willowbrook-house')).find((c) => c.id === courseId)).toMatchObject({ given_here: true });
    const refused = await admin.json<Answer<null>>('POST', '/entity-courses', { entity_ids: [demoId('entity:harbour')], course_ids: [courseId] });
    expect(Object.keys(refused.body.errors)).toEqual(['entity_ids']);
  });

  it('can be a single content, given to several places at once, or to none', async () => {
    const { contentId } = await platformCourse('Hoists');
    const [house, branch] = [demoId('entity:home'), demoId('entity:branch')];
    const wrong = await superAdmin.json<Answer<null>>('POST', '/entity-content', { entity_ids: [house], content_ids: [contentId, amara] });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['content_id']]);
    expect(await readable(learner, contentId)).toBe(404);
    expect(
      (await superAdmin.json<Answer<object>>('POST', '/entity-content', { entity_ids: [house, branch], content_ids: [contentId] })).body.data,
    ).toEqual({ given: 2 });
    expect(await readable(learner, contentId)).toBe(200);
    const listed = (await admin.json<Answer<EntityContent[]>>('GET', '/entities/willowbrook-house/content')).body.data;
    expect(listed).toMatchObject([{ id: contentId, given_here: true, course: { title: 'Hoists' } }]);
    const learnerType = demoId('type:group:learner');
    const many = await admin.json<Answer<EntityContent[]>>('PATCH', '/entities/willowbrook-house/content/updateMultiple', {
      content_ids: [contentId],
      type_ids: [learnerType],
    });
    expect(many.body.data[0]?.types).toMatchObject([{ id: learnerType }]);
    const bad = await admin.json<Answer<null>>('PATCH', `/entities/willowbrook-house/content/${contentId}`, {
      role_ids: [demoId('role:harbour:care')],
    });
    expect(bad.body.errors.role_ids).toEqual(['One of these is not used there. Choose among those that are.']);
    expect((await admin.json('DELETE', `/entities/willowbrook-house/content/${contentId}`)).status).toBe(204);
    expect(await readable(learner, contentId)).toBe(404);
  });

  it('stands under headings, and is marked with tags that show only what one may see', async () => {
    const made = await admin.json<Answer<CourseCategory>>('POST', '/entities/willowbrook/course-categories', { name: 'Safety' });
    expect((await admin.json<Answer<null>>('POST', '/entities/willowbrook/course-categories', { name: 'safety' })).body.errors.name).toEqual([
      'There is one of this name already.',
    ]);
    const fire = (await courses('willowbrook')).find((c) => c.title === 'Fire safety') as EntityCourse;
    await admin.json('PATCH', `/entities/willowbrook/course-categories/${made.body.data.id}`, { course_ids: [fire.id] });
    expect((await available(learner, amara)).find((c) => c.id === fire.id)?.categories).toEqual(['Safety']);
    const authored = async (query: string) => (await admin.json<Answer<CourseLine[]>>('GET', `/courses?${query}`)).body.data;
    expect(await authored(`category_id=${made.body.data.id}`)).toMatchObject([{ id: fire.id, categories: [{ name: 'Safety' }] }]);
    expect((await authored(`role_id=${care}`)).some((c) => c.id === fire.id)).toBe(false);
    await admin.json('PATCH', `/entities/willowbrook/courses/${fire.id}`, { role_ids: [care] });
    expect((await authored(`role_id=${care}`)).some((c) => c.id === fire.id)).toBe(true);
    expect((await authored(`type_id=${demoId('type:group:learner')}`)).some((c) => c.id === fire.id)).toBe(false);
    await admin.json('PATCH', `/entities/willowbrook/courses/${fire.id}`, { role_ids: [] });
    const taken = await admin.json<Answer<EntityCourse>>('PATCH', `/entities/willowbrook/courses/${fire.id}`, { category_ids: [] });
    expect(taken.body.data.categories).toEqual([]);

    const tag = await admin.json<Answer<Tag>>('POST', '/entities/willowbrook/tags', { name: 'North' });
    const marked = await admin.json<Answer<Tag>>('PATCH', `/entities/willowbrook/tags/${tag.body.data.id}`, {
      entity_ids: [demoId('entity:home'), demoId('entity:branch')],
      user_ids: [amara],
    });
    expect(marked.body.data.entities).toHaveLength(2);
    const refused = await admin.json<Answer<null>>('PATCH', `/entities/willowbrook/tags/${tag.body.data.id}`, {
      user_ids: [demoId('user:learner@harbourview.test')],
    });
    expect(refused.body.errors.user_ids).toEqual(['Choose people that you can see.']);
    // Somebody who sees less changes only what they see.
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(array[94, 96]) from users where email = 'manager@willowbrook.test' on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const manager = await signedIn('manager@willowbrook.test');
    const seen = (await manager.json<Answer<Tag[]>>('GET', '/entities/willowbrook-house/tags')).body.data;
    expect(seen[0]).toMatchObject({ name: 'North', editable: false, entities: [{ name: 'Willowbrook House' }] });
    await manager.json('PATCH', `/entities/willowbrook-house/tags/${tag.body.data.id}`, { entity_ids: [] });
    expect((await admin.json<Answer<Tag[]>>('GET', '/entities/willowbrook/tags')).body.data[0]?.entities).toMatchObject([
      { name: 'Willowbrook Home Care' },
    ]);
    expect((await manager.json('PATCH', `/entities/willowbrook-house/tags/${tag.body.data.id}`, { name: 'South' })).status).toBe(403);
    expect((await admin.json('DELETE', `/entities/willowbrook/tags/${tag.body.data.id}`)).status).toBe(204);
  });

  it('needs its own permission to limit whom a course or a content is for, and to see what somebody may take', async () => {
    const { db } = server.database;
    const manager = demoId('user:manager@willowbrook.test');
    const { courseId, contentId: content } = await platformCourse('Standing aids');
    await superAdmin.json('POST', '/entities/willowbrook/courses', { course_id: courseId });
    await db.run(sql`insert into user_permissions (user_id, permission_id) values (${manager}, 68), (${manager}, 69) on conflict do nothing`);
    const client = await signedIn('manager@willowbrook.test');
    const give = (who: TestClient, more: object) =>
      who.json<Answer<EntityContent>>('POST', '/entities/willowbrook-house/content', { content_id: content, ...more });
    const refused = { status: 403, body: { errors: { role_ids: ['You do not have permission to change this.'] } } };
    expect(await give(client, { role_ids: [care] })).toMatchObject(refused);
    expect((await give(client, {})).status).toBe(201);
    const path = `/entities/willowbrook-house/content/${content}`;
    expect(await client.json('PATCH', path, { role_ids: [care] })).toMatchObject(refused);
    // An audience set by somebody else is not widened either.
    expect((await admin.json('PATCH', path, { role_ids: [care] })).status).toBe(200);
    expect(await client.json('PATCH', path, { role_ids: [] })).toMatchObject(refused);
    expect(await give(client, { role_ids: [] })).toMatchObject(refused);
    expect((await give(client, {})).body.data.roles).toMatchObject([{ id: care }]);
    expect((await client.json('PATCH', path, { role_ids: [care] })).status).toBe(200);
    // The same for a course: an audience set above is passed on unchanged.
    await admin.json('PATCH', `/entities/willowbrook/courses/${courseId}`, { role_ids: [care] });
    const giveCourse = (more: object) =>
      client.json<Answer<EntityCourse>>('POST', '/entities/willowbrook-house/courses', { course_id: courseId, ...more });
    expect(await giveCourse({ role_ids: [] })).toMatchObject(refused);
    expect((await giveCourse({})).body.data).toMatchObject({ given_here: true, roles: [{ id: care }] });
    const house = `/entities/willowbrook-house/courses/${courseId}`;
    expect(await client.json('PATCH', house, { role_ids: [] })).toMatchObject(refused);
    expect((await client.json('PATCH', house, { role_ids: [care], category_ids: [] })).status).toBe(200);

    await db.run(sql`insert into user_permissions (user_id, permission_id) values (${manager}, 122) on conflict do nothing`);
    const allowed = await signedIn('manager@willowbrook.test');
    expect((await allowed.json('PATCH', path, { role_ids: [] })).status).toBe(200);

    for (const list of ['available-courses', 'personal-development-courses']) {
      expect((await allowed.json('GET', `/users/${amara}/${list}`)).status).toBe(200);
      await db.run(sql`delete from type_permissions where permission_id = 80`);
      expect((await (await signedIn('manager@willowbrook.test')).json('GET', `/users/${amara}/${list}`)).status).toBe(403);
      await db.run(sql`insert into type_permissions (type_id, permission_id) select id, 80 from types`);
    }
  });

  it('is nobody else’s business', async () => {
    const outsider = await signedIn('admin@brightpath.test');
    for (const path of ['courses', 'content', 'course-categories', 'tags'])
      expect((await outsider.json('GET', `/entities/willowbrook/${path}`)).status).toBe(404);
    const house = demoId('entity:home');
    expect((await outsider.json<Answer<unknown[]>>('GET', `/entity-courses?entityIds=${house}`)).body.data).toEqual([]);
    expect((await admin.json<Answer<unknown[]>>('GET', `/entity-courses?entityIds=${house}`)).body.data).toHaveLength(1);
    expect((await outsider.json('GET', `/users/${amara}/available-courses`)).status).toBe(404);
    expect((await learner.json('GET', `/users/${demoId('user:manager@willowbrook.test')}/available-courses`)).status).toBe(404);
  });
});

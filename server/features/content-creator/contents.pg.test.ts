import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContent } from '#contract/api/content.ts';
import type { Content, Course } from '#contract/entities/authored-content.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import { sql } from '#server/db/sql.ts';
import { h5pFiles, scormManifest, zip } from '#tests/support/archives.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('a content of an organisation', () => {
  let server: TestApp;
  let author: TestClient;
  let course: Course;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    author = await signedIn('admin@willowbrook.test');
    const found = await author.json<{ data: Course[] }>('GET', '/courses?search=moving%20and%20handling');
    course = found.body.data[0] as Course;
  });
  afterAll(() => server.close());

  type Answer = { data: Content; errors?: Record<string, string[]> };
  const upload = async (kind: 'scorm' | 'h5p', files: Record<string, string | Buffer>, by = author) =>
    (await by.json<{ data: CoursePackage }>('POST', `/packages?kind=${kind}`, await zip(files), { 'content-type': 'application/zip' })).body.data;
  const scorm = (page = 'Before you lift') => upload('scorm', { 'imsmanifest.xml': scormManifest(), 'index.html': page });
  const add = async (more: object = {}, by = author) =>
    by.json<Answer>('POST', '/content', { type: 'scorm', course_id: course.id, package_id: (await scorm()).id, title: 'Lifting boxes', ...more });
  const documentOf = (id: string, by: TestClient, version = '') =>
    by.json<{ data: ContentDocument }>('GET', `/content/${id}/document${version && `?version=${version}`}`);
  const list = async (by = author, query = 'type=scorm') => (await by.json<{ data: Content[] }>('GET', `/content?${query}`)).body.data;

  it('is of a course, which is found by its id', async () => {
    const these = await author.json<{ data: Course[] }>('GET', `/courses?ids=${course.id},${randomUUID()}`);
    expect(these.body.data).toEqual([course]);
  });

  it('is a draft until it is published, and is then played by those below its organisation and nobody else', async () => {
    const { status, body } = await add({ outcomes: ['Lift a box'], estimated_duration: 20 });
    expect(status).toBe(201);
    expect(createContent.response.safeParse(body.data).error).toBeUndefined();
    expect(body.data).toMatchObject({
      title: 'Lifting boxes',
      published: false,
      editable: true,
      completion: 'reported',
      version: 1,
      course: { id: course.id },
    });
    const learner = await signedIn('learner@willowbrook.test');
    expect((await documentOf(body.data.id, learner)).status).toBe(404);

    expect((await author.json('PATCH', `/content/${body.data.id}`, { published: true })).status).toBe(200);
    const document = (await documentOf(body.data.id, learner)).body.data;
    expect(document).toMatchObject({ version: 1, type: 'scorm', outcomes: ['Lift a box'], package: { completion: 'reported', files: 2 } });

    // The course is shared with other organisations; what one of them adds to it is not.
    const elsewhere = await signedIn('learner@harbourview.test');
    expect((await documentOf(body.data.id, elsewhere)).status).toBe(404);
    const rival = await signedIn('admin@brightpath.test');
    expect((await list(rival)).map((c) => c.title).sort()).toEqual(['Data protection', 'Nutrition and hydration']);
    for (const [method, more] of [['GET'], ['PATCH', { title: 'Ours' }], ['DELETE']] as const)
      expect((await rival.json(method, `/content/${body.data.id}`, more)).status).toBe(404);
  });

  it('keeps the version that somebody has begun when its file or its rule changes', async () => {
    const { data } = (await add({ published: true })).body;
    const fresh = await scorm('Lift with your legs');
    const changed = (await author.json<Answer>('PATCH', `/content/${data.id}`, { package_id: fresh.id, completion: 'opened' })).body.data;
    expect(changed).toMatchObject({ version: 2, completion: 'opened', package: { tree: fresh.tree } });
    const learner = await signedIn('learner@willowbrook.test');
    expect((await documentOf(data.id, learner)).body.data).toMatchObject({ version: 2, package: { tree: fresh.tree, completion: 'opened' } });
    expect((await documentOf(data.id, learner, '1')).body.data).toMatchObject({ version: 1, package: { tree: data.package?.tree } });
    // Saving the same again makes no version.
    expect((await author.json<Answer>('PATCH', `/content/${data.id}`, { package_id: fresh.id, title: 'Lifting boxes' })).body.data.version).toBe(2);
  });

  it('is refused with the field that is wrong, and without the permission', async () => {
    const activity = await upload('h5p', h5pFiles());
    expect((await add({ title: ' ' })).body.errors).toHaveProperty('title');
    expect((await add({ package_id: activity.id })).body.errors).toHaveProperty('package_id');
    expect((await add({ course_id: crypto.randomUUID() })).body.errors).toHaveProperty('course_id');
    expect((await add({ estimated_duration: 2.5 })).body.errors).toHaveProperty('estimated_duration');
    const rival = await signedIn('admin@brightpath.test');
    expect((await add({}, rival)).status).toBe(404);
    const learner = await signedIn('learner@willowbrook.test');
    expect((await add({}, learner)).status).toBe(403);
    expect((await learner.json('GET', '/content?type=scorm')).status).toBe(403);
    expect((await learner.json('GET', '/courses')).status).toBe(403);
  });

  it('needs a permission of its own to be kept from those who would take it themselves', async () => {
    const { data } = (await add({ title: 'Entered for people' })).body;
    const { db } = server.database;
    const of = sql`permission_id = 122 and type_id = (select type_id from users where email = 'admin@willowbrook.test')`;
    const [type] = await db.all<{ type_id: string }>(sql`select type_id from type_permissions where ${of}`);
    await db.run(sql`delete from type_permissions where ${of}`);
    const unable = await signedIn('admin@willowbrook.test');
    const refused = { status: 403, body: { errors: { admin_only: ['You do not have permission to change this.'] } } };
    expect(await unable.json('PATCH', `/content/${data.id}`, { admin_only: true })).toMatchObject(refused);
    expect(await add({ admin_only: true }, unable)).toMatchObject(refused);
    // An unchanged one needs none.
    expect((await unable.json('PATCH', `/content/${data.id}`, { admin_only: false, aims: 'Safe' })).status).toBe(200);
    await db.run(sql`insert into type_permissions (type_id, permission_id) values (${type?.type_id ?? ''}, 122)`);
    const able = await signedIn('admin@willowbrook.test');
    expect((await able.json('PATCH', `/content/${data.id}`, { admin_only: true })).status).toBe(200);
  });

  it('of the library is used and not changed', async () => {
    const [nutrition] = await list(author, 'type=scorm&search=nutrition');
    expect(nutrition).toMatchObject({ title: 'Nutrition and hydration', editable: false, entity: { name: 'Lantern' } });
    expect((await author.json('PATCH', `/content/${nutrition?.id}`, { title: 'Ours' })).status).toBe(404);
  });

  it('that was taken away is no longer offered', async () => {
    const { data } = (await add({ published: true, title: 'Old boxes' })).body;
    expect((await author.json('DELETE', `/content/${data.id}`)).status).toBe(204);
    expect(await list(author, 'type=scorm&search=old%20boxes')).toEqual([]);
    expect((await documentOf(data.id, await signedIn('learner@willowbrook.test'))).status).toBe(404);
    expect((await author.json('DELETE', `/content/${data.id}`)).status).toBe(404);
  });

  it('has each change in the audit log, with what differs', async () => {
    const { data } = (await add({ title: 'Noted boxes' })).body;
    const fresh = await scorm('Another page');
    await author.json('PATCH', `/content/${data.id}`, { published: true });
    await author.json('PATCH', `/content/${data.id}`, { package_id: fresh.id });
    await author.json('PATCH', `/content/${data.id}`, { title: 'Noted boxes' });
    await author.json('DELETE', `/content/${data.id}`);
    const noted = await server.database.db.all<{ action: string; before: object | null; after: object | null }>(
      sql`select action, before, after from audit_log where subject_id = ${data.id} order by no`,
    );
    expect(noted).toMatchObject([
      { action: 'created', before: null, after: { title: 'Noted boxes', published: false, package: data.package?.tree } },
      { action: 'updated', before: { published: false }, after: { published: true } },
      { action: 'updated', before: { package: data.package?.tree }, after: { package: fresh.tree } },
      { action: 'deleted', before: { title: 'Noted boxes', published: true }, after: null },
    ]);
  });
});

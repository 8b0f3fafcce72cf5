import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content, ContentVersion, CourseDetail } from '#contract/entities/authored-content.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { AuthoredLesson, AuthoredTopic } from '#contract/entities/authored-parts.ts';
import type { CourseStanding } from '#contract/entities/compliance.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { wrongStandings } from '#server/features/results/standings.rows.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const amara = demoId('user:learner@willowbrook.test');
const day = 86_400_000;
const words = (said: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: said }] }] } }];

describe('people who completed a course that changed', () => {
  let server: TestApp;
  let author: TestClient;
  let learner: TestClient;
  let course: string;
  let content: string;
  let topic: string;
  const send = async <T>(method: string, path: string, body: object, by = author): Promise<T> =>
    (await by.json<{ data: T }>(method, path, body)).body.data;
  const publish = async (said: string, how: object) => {
    await send('PATCH', `/topics/${topic}`, { blocks: words(said) });
    return (await send<Content>('POST', `/content/${content}/publish`, how)).version;
  };
  const asked = async () =>
    (await author.json<{ data: ContentVersion[] }>('GET', `/content/${content}/versions`)).body.data.map((v) => [v.version, v.taken, v.asked]);
  const atHome = async (days = 0) =>
    (await eventsOf(server.database.db, [amara], new Date(server.clock.now.getTime() + days * day))).find((e) => e.course_id === course);
  const complete = async (attempt: Attempt) => {
    const id = crypto.randomUUID();
    // Later than the completion before.
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    const at = server.clock.now.toISOString();
    const args = { topic_id: topic, state: 'completed', percent: 100, seconds: {} };
    await learner.json('PATCH', `/attempts/${attempt.id}`, { changes: [{ id, version: 1, at, command: 'attempt.progress', args }] });
  };
  const begin = () => send<Attempt>('POST', `/users/${amara}/attempts`, { content_id: content }, learner);

  beforeAll(async () => {
    server = await startTestApp();
    author = server.client();
    await author.signIn('admin@willowbrook.test');
    learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    course = (await send<CourseDetail>('POST', '/courses', { title: 'Hand care', short_title: 'Hands' })).id;
    content = (await send<Content>('POST', '/content', { type: 'elearning', course_id: course, title: 'Hand care online' })).id;
    topic = (await send<AuthoredTopic>('POST', '/topics', { title: 'Why', blocks: words('Wash them.') })).id;
    const lesson = (await send<AuthoredLesson>('POST', '/lessons', { title: 'Hands' })).id;
    await send('POST', `/lessons/${lesson}/topics`, { action: 'add', topic_id: topic });
    await send('POST', `/content/${content}/lessons`, { action: 'add', lesson_id: lesson });
    await publish('Wash your hands.', { material: true });
  });
  afterAll(() => server.close());

  it('are asked by a change that matters, and by no other, and stay in date', async () => {
    await complete(await begin());
    expect(await atHome()).toMatchObject({ status: 'completed', compliance: 'in_date', asked_version: null });
    expect(await asked()).toEqual([[1, 0, 0]]);
    await publish('Wash your hands!', {});
    expect(await atHome()).toMatchObject({ status: 'completed', asked_version: null });
    await publish('Wash them for 20 seconds.', { material: true, take_within_days: 14 });
    expect(await asked()).toEqual([
      [3, 0, 1],
      [2, 0, 0],
      [1, 0, 0],
    ]);
    const now = await atHome();
    expect(now).toMatchObject({
      status: 'current',
      compliance: 'in_date',
      asked_version: 3,
      reason: expect.stringMatching(/^Completed on .* please take the new version by /),
    });
    // Not before its last day is over.
    expect(await atHome(13)).toMatchObject({ status: 'current' });
    expect(await atHome(15)).toMatchObject({ status: 'overdue', compliance: 'in_date', due_at: now?.due_at });
    // The explanation agrees, and no stored standing has changed.
    const why = (await learner.json<{ data: CourseStanding }>('GET', `/users/${amara}/courses/${course}/standing`)).body.data;
    expect([why.status, why.reason]).toEqual(['in_date', now?.reason]);
    expect(await wrongStandings(server.database.db)).toEqual([]);
  });

  it('finish what they have begun, and are asked again by nothing once they have taken it', async () => {
    const [before] = (await learner.json<{ data: Attempt[] }>('GET', `/users/${amara}/attempts?content_id=${content}`)).body.data;
    const again = await send<Attempt>('POST', `/retake_attempt/${before?.id}`, {}, learner);
    expect(again.content_version).toBe(3);
    await complete(again);
    expect(await atHome()).toMatchObject({ status: 'completed', asked_version: null });
    expect((await asked())[0]).toEqual([3, 1, 0]);
    // Begun on the third; the fourth is required, and again once the third is finished too.
    const third = await send<Attempt>('POST', `/retake_attempt/${again.id}`, {}, learner);
    await publish('Wash them for 30 seconds.', { material: true });
    await complete(third);
    expect((await learner.json<{ data: Attempt }>('GET', `/attempts/${third.id}`)).body.data).toMatchObject({ content_version: 3, state: 'graded' });
    expect(await atHome()).toMatchObject({ status: 'current', asked_version: 4 });
    expect((await asked()).slice(0, 2)).toEqual([
      [4, 0, 1],
      [3, 1, 0],
    ]);
    // Withdrawn content cannot be taken.
    await send('PATCH', `/content/${content}`, { published: false });
    expect(await atHome()).toMatchObject({ asked_version: null });
    expect((await asked())[0]).toEqual([4, 0, 0]);
    await send('PATCH', `/content/${content}`, { published: true });
  });

  it('are not asked where newer training counts, or where it has expired', async () => {
    await server.database.db.run(
      sql`update results set expires_at = ${server.clock.now}::timestamptz - interval '1 day' where user_id = ${amara} and course_id = ${course}`,
    );
    expect(await atHome()).toMatchObject({ asked_version: null });
    expect((await asked())[0]).toEqual([4, 0, 0]);
    await server.database.db.run(
      sql`insert into results (id, user_id, course_id, type, completed_at) values (${crypto.randomUUID()}, ${amara}, ${course}, 'face2face', ${server.clock.now})`,
    );
    expect(await atHome()).toMatchObject({ status: 'completed', asked_version: null });
    expect((await asked())[0]).toEqual([4, 0, 0]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Content } from '#contract/entities/authored-content.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; errors?: Record<string, string[]> };
type Thing = { id: string };
const blocks = [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Read this.' }] }] } }];

describe('what has to be done to complete a content', () => {
  let server: TestApp;
  let author: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    author = server.client();
    await author.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());

  it('is chosen by its author, said in a sentence, and published with each version', async () => {
    const send = async <T>(method: 'POST' | 'PATCH', path: string, body: object) => (await author.json<Answer<T>>(method, path, body)).body;
    const make = async <T = Thing>(path: string, body: object) => (await send<T>('POST', path, body)).data;
    const course = await make('/courses', { title: 'Hands', short_title: 'Hands' });
    const { id } = await make('/content', { type: 'elearning', course_id: course.id, title: 'Hands' });
    const lessons: Thing[] = [];
    for (const title of ['Basics', 'More']) {
      const lesson = await make('/lessons', { title });
      const topic = await make('/topics', { title: `${title} first`, blocks });
      await make(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
      await make(`/content/${id}/lessons`, { action: 'add', lesson_id: lesson.id });
      lessons.push(lesson);
    }
    const change = (uncounted: (string | undefined)[]) => send<Content>('PATCH', `/content/${id}`, { uncounted });
    expect((await make<Content>(`/content/${id}/publish`, {})).complete_when).toBe('Complete when all topics are read.');
    expect((await change([crypto.randomUUID()])).errors).toHaveProperty('uncounted');
    const { data } = await change([lessons[1]?.id]);
    expect(data).toMatchObject({
      complete_when: 'Complete when the topic of the lesson “Basics” is read.',
      has_changes: true,
      changes: ['What has to be done to complete it.'],
    });
    await make(`/content/${id}/publish`, {});
    const version = async (n: number) => (await author.json<Answer<ContentDocument>>('GET', `/content/${id}/document?version=${n}`)).body.data;
    expect([(await version(1)).uncounted, (await version(2)).uncounted]).toEqual([undefined, [lessons[1]?.id]]);
    expect((await change(lessons.map((l) => l.id))).data.problems).toEqual(['Nothing in it counts: it would be complete as soon as it is opened.']);
    await change([lessons[1]?.id]);
    const copy = await make<Content>(`/content/${id}/copy`, { title: 'Copy', course_id: course.id });
    expect(copy.complete_when).toBe('Complete when the topic of the lesson “Basics” is read.');
    expect(copy.uncounted).not.toContain(lessons[1]?.id);
  });
});

import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDesignedContent } from '#contract/api/designed-contents.ts';
import { designFrom } from '#contract/design-templates.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Content, ContentLine, ContentVersion, CourseDetail } from '#contract/entities/authored-content.ts';
import { type Answer, ContentDocument, type Media } from '#contract/entities/content.ts';
import type { Design, DesignBlock } from '#contract/entities/design.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Body<T> = { data: T; errors?: Record<string, string[]>; code?: string; current?: T };

describe('designed contents', () => {
  let server: TestApp;
  let author: TestClient;
  let learner: TestClient;
  let learnerId: string;
  let rival: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    author = server.client();
    await author.signIn('admin@willowbrook.test');
    learner = server.client();
    learnerId = (await learner.signIn('learner@willowbrook.test')).uuid;
    rival = server.client();
    await rival.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());

  const send = <T>(method: 'POST' | 'PATCH', path: string, body: object, by = author) => by.json<Body<T>>(method, path, body);
  const get = async <T>(path: string, by = author) => (await by.json<Body<T>>('GET', path)).body.data;
  const newCourse = async () => (await send<CourseDetail>('POST', '/courses', { title: 'Lifting', short_title: 'Lifting' })).body.data.id;
  const newDesigned = async (design: Design = designFrom('competence'), title = 'Lifting safely') => {
    const { status, body } = await send<DesignedContent>('POST', '/designed-contents', { course_id: await newCourse(), title, design });
    expect([status, body.errors]).toEqual([201, undefined]);
    return body.data;
  };
  const publish = async (id: string) => expect((await send('POST', `/content/${id}/publish`, {})).status).toBe(200);
  const withBlock = (block: DesignBlock): Design => {
    const design = designFrom('toolbox');
    design.pages[0]?.rows.push({ id: 'new', blocks: [block] });
    return design;
  };

  it('is written, published, and taken like every other content', async () => {
    const made = await newDesigned();
    expect(getDesignedContent.response.safeParse(made).error).toBeUndefined();
    expect(made).toMatchObject({ type: 'elearning', designed: true, published: false, version: 0, has_changes: true, problems: [] });
    await publish(made.id);
    const { data: document } = (await learner.json<Body<ContentDocument>>('GET', `/content/${made.id}/document`)).body;
    expect(ContentDocument.safeParse(document).error).toBeUndefined();
    // Only the server has the answers of scored questions.
    expect(JSON.stringify(document)).not.toContain('Consent comes before everything else.');
    expect(document.lessons.map((l) => l.topics.length)).toEqual([2, 2, 1]);

    const attempt = await attemptIdOf(learnerId, made.id, 1);
    const done = document.lessons
      .flatMap((l) => l.topics)
      .map(({ id }) => change('attempt.progress', { topic_id: id, state: 'completed', percent: 100, seconds: { a: 30 } }));
    const [quiz] = document.quizzes;
    if (!quiz) throw new Error('no questions');
    const [order, fact] = quiz.questions;
    if (order?.kind !== 'order' || !fact) throw new Error('other questions');
    const rightOrder = ['Ask for consent', 'Wash your hands', 'Do the task', 'Record it'].map(
      (text) => order.items.find((i) => i.text === text)?.id ?? '',
    );
    const answers = (value: boolean): Record<string, Answer> => ({
      [order.id]: { kind: 'order', items: rightOrder },
      [fact.id]: { kind: 'true_false', value },
    });
    const handIn = (try_no: number, value: boolean) =>
      change('attempt.submit_quiz', { quiz_id: quiz.id, try_no, content_version: 1, answers: answers(value) });
    expect(drawQuestions(quiz, attempt, 1)).toHaveLength(2);
    // The state of a block is stored with it, so that another device continues from there.
    const situation = document.design?.pages[1];
    const way = {
      quiz_id: situation?.id ?? '',
      try_no: 1,
      question_id: situation?.rows[0]?.blocks[0]?.id ?? '',
      answer: { kind: 'order' as const, items: ['c1'] },
    };
    const changes = [change('attempt.start', { content_id: made.id, content_version: 1 }), change('attempt.answer', way), ...done, handIn(1, false)];
    const first = await learner.json<Body<Attempt>>('PATCH', `/attempts/${attempt}`, { changes });
    expect(first.body.data).toMatchObject({ state: 'submitted', percent: 83, answers: [way], result: null });
    expect(first.body.data.submissions[0]?.outcomes.map((o) => o.correct)).toEqual([true, false]);
    const again = [handIn(2, true)];
    await learner.json('PATCH', `/attempts/${attempt}`, { changes: again });
    const { body } = await learner.json<Body<Attempt>>('PATCH', `/attempts/${attempt}`, { changes: again });
    expect(body.data).toMatchObject({ state: 'graded', percent: 100, score: 100, passed: true });
    expect(body.data.result).not.toBeNull();
  });

  it('changes for nobody who has begun, and is refused where somebody else changed it in the meantime', async () => {
    const made = await newDesigned(designFrom('policy'), 'Lone working');
    await publish(made.id);
    const design: Design = { ...made.design, theme: 'tint', pages: made.design.pages.slice(0, 1) };
    const { rev } = await get<DesignedContent>(`/designed-contents/${made.id}`);
    const changed = await send<DesignedContent>('PATCH', `/designed-contents/${made.id}`, { design, aims: 'To be safe alone', rev });
    expect(changed.body.data).toMatchObject({ has_changes: true, version: 1, design, aims: 'To be safe alone' });
    const late = await send<DesignedContent>('PATCH', `/designed-contents/${made.id}`, { title: 'Other', rev });
    expect([late.status, late.body.current]).toEqual([409, changed.body.data]);
    await publish(made.id);
    expect((await get<ContentVersion[]>(`/content/${made.id}/versions`)).map((v) => v.version)).toEqual([2, 1]);
    const old = await get<ContentDocument>(`/content/${made.id}/document?version=1`, learner);
    expect(old.design?.pages).toHaveLength(2);
    expect((await get<ContentDocument>(`/content/${made.id}/document`, learner)).design).toMatchObject({ theme: 'tint' });
  });

  it('may be unfinished until it is published', async () => {
    const made = await newDesigned(withBlock({ id: randomUUID(), kind: 'question', required: true, scored: true, question: null }));
    expect(made.design_problems).toEqual([{ page: made.design.pages[0]?.id, block: expect.any(String), message: 'Write the question.' }]);
    const refused = await send<Content>('POST', `/content/${made.id}/publish`, {});
    expect([refused.status, refused.body.errors?.published]).toEqual([
      422,
      [expect.stringMatching(/Page 1, “\[Subject\] in five minutes”: Write the question/)],
    ]);
    const [page] = made.design.pages;
    const twice = await send('PATCH', `/designed-contents/${made.id}`, { design: { ...made.design, pages: [page, page] } });
    expect([twice.status, Object.values(twice.body.errors ?? {})]).toEqual([422, [['Two pages or blocks have the same id.']]]);
    const lesson = await send('POST', `/content/${made.id}/lessons`, { action: 'order', ids: [] });
    expect(lesson.status).toBe(422);
  });

  it('takes files of its own organisation alone, and knows their kind', async () => {
    const upload = async (by: TestClient, background: string) => {
      const form = new FormData();
      const png = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
      form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'p.png');
      const sent = new Response(form);
      const { body } = await by.json<Body<Media>>('POST', '/content/images', Buffer.from(await sent.arrayBuffer()), {
        'content-type': sent.headers.get('content-type') ?? '',
      });
      return body.data;
    };
    const picture = (media: Media): DesignBlock => ({
      id: randomUUID(),
      kind: 'picture',
      required: false,
      media,
      alt: 'A hoist',
      decorative: false,
      caption: '',
      spots: [],
    });
    const own = await upload(author, 'green');
    const course_id = await newCourse();
    const add = (block: DesignBlock) => send<DesignedContent>('POST', '/designed-contents', { course_id, title: 'Files', design: withBlock(block) });
    const fine = (await add(picture({ ...own, url: '/elsewhere', bytes: 1 }))).body.data;
    expect(fine.design.pages[0]?.rows.at(-1)?.blocks[0]).toMatchObject({ media: own });
    for (const block of [
      picture(await upload(rival, 'red')),
      {
        id: randomUUID(),
        kind: 'film',
        required: false,
        media: own,
        title: 'F',
        poster: null,
        transcript: 't',
        captions: [],
        stops: [],
      } as DesignBlock,
    ]) {
      const { status, body } = await add(block);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['design.pages.0.rows.3.blocks.0']]);
    }
  });

  it('is listed and copied, and nobody else’s design is read', async () => {
    const made = await newDesigned(designFrom('induction'), 'Welcome to the team');
    const listed = await get<ContentLine[]>('/designed-contents?search=Welcome to the team');
    expect(listed.map((l) => [l.id, l.designed])).toEqual([[made.id, true]]);
    expect((await get<ContentLine[]>('/content?type=elearning&search=Welcome to the team')).map((l) => l.designed)).toEqual([true]);
    const copy = await send<Content>('POST', `/content/${made.id}/copy`, { title: 'Copied', course_id: await newCourse() });
    expect([copy.status, copy.body.data.designed]).toEqual([201, true]);
    expect((await get<DesignedContent>(`/designed-contents/${copy.body.data.id}`)).design).toEqual(made.design);
    const others = [
      rival.json('GET', `/designed-contents/${made.id}`),
      rival.json('PATCH', `/designed-contents/${made.id}`, { title: 'Mine' }),
      author.json('GET', `/designed-contents/${randomUUID()}`),
      learner.json('GET', `/designed-contents/${made.id}`),
      learner.json('GET', '/designed-contents'),
    ];
    expect((await Promise.all(others)).map((r) => r.status)).toEqual([404, 404, 404, 403, 403]);
    const elearning = await send<Content>('POST', '/content', { type: 'elearning', course_id: await newCourse(), title: 'With lessons' });
    expect((await author.json('GET', `/designed-contents/${elearning.body.data.id}`)).status).toBe(404);
    expect((await author.json('PATCH', `/designed-contents/${elearning.body.data.id}`, { design: made.design })).status).toBe(404);
    expect((await author.json('DELETE', `/content/${made.id}`)).status).toBe(204);
    expect((await author.json('GET', `/designed-contents/${made.id}`)).status).toBe(404);
  });
});

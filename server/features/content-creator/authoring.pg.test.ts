import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getContent } from '#contract/api/content.ts';
import { getLesson, getQuiz, getTopic } from '#contract/api/content-parts.ts';
import { getCourse } from '#contract/api/courses.ts';
import type { H5pDetail } from '#contract/entities/h5p.ts';
import type { Content, ContentVersion, CourseDetail, CourseUses } from '#contract/entities/authored-content.ts';
import type { AuthoredLesson, AuthoredQuiz, AuthoredTopic, BankQuestion, LessonLine, QuizLine } from '#contract/entities/authored-parts.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Block, ContentDocument, Media } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { composed } from '#server/features/content-creator/compose.rows.ts';
import { sameForLearners } from '#server/features/content-creator/contents.rows.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; errors?: Record<string, string[]>; message?: string; code?: string; current?: T };

const text = (words: string): Block => ({
  kind: 'text',
  doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] },
});
const questions = (): AuthoredQuestion[] => [
  {
    ...{ kind: 'single', prompt: 'When do you wash your hands?', feedback: 'Before and after.' },
    options: [
      { id: 'a', text: 'Before and after', correct: true, feedback: '' },
      { id: 'b', text: 'Never', correct: false, feedback: 'That spreads infection.' },
    ],
  },
  { kind: 'true_false', prompt: 'Gloves replace washing.', correct: false, feedback: '' },
];

describe('authoring', () => {
  let server: TestApp;
  let author: TestClient;
  let learner: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    author = await signedIn('admin@willowbrook.test');
    learner = await signedIn('learner@willowbrook.test');
    rival = await signedIn('admin@brightpath.test');
  });
  afterAll(() => server.close());

  const post = async <T>(path: string, body: object, by = author) => (await by.json<Answer<T>>('POST', path, body)).body;
  const patch = <T>(path: string, body: object, by = author) => by.json<Answer<T>>('PATCH', path, body);
  const get = async <T>(path: string, by = author) => (await by.json<Answer<T>>('GET', path)).body.data;
  const newCourse = async (title = 'Hand care') => (await post<CourseDetail>('/courses', { title, short_title: 'Hands' })).data;
  const newContent = async (title = 'Hand care online', more: object = {}) =>
    (await post<Content>('/content', { type: 'elearning', course_id: (await newCourse()).id, title, ...more })).data;
  const newTopic = async (title = 'Why hands matter', blocks: Block[] = [text('Wash them.')], more: object = {}) =>
    (await post<AuthoredTopic>('/topics', { title, blocks, ...more })).data;
  const newLesson = async (title: string, topics: { id: string }[]) => {
    let lesson = (await post<AuthoredLesson>('/lessons', { title })).data;
    for (const { id } of topics) lesson = (await post<AuthoredLesson>(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: id })).data;
    return lesson;
  };
  const newQuiz = async (title = 'Check', of = questions()) => (await post<AuthoredQuiz>('/quizzes', { title, questions: of })).data;
  /** A content with one lesson of two topics and a quiz. */
  const whole = async () => {
    const content = await newContent();
    const topics = [await newTopic(), await newTopic('How to', [text('With soap.')], { is_child: true })];
    const lesson = await newLesson('The basics', topics);
    const quiz = await newQuiz();
    await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
    const { data } = await post<Content>(`/content/${content.id}/quizzes`, { action: 'add', quiz_id: quiz.id });
    return { content: data, topics, lesson, quiz };
  };
  const documentOf = async (id: string, version = '', by = learner) =>
    by.json<Answer<ContentDocument>>('GET', `/content/${id}/document${version && `?version=${version}`}`);

  it('takes a published content apart so that putting it together again changes nothing', async () => {
    const { db } = server.database;
    const all = await db.all<{ id: string; document: ContentDocument; answer_keys: never }>(sql`select c.id, v.document, v.answer_keys from contents c
      join content_versions v on v.content_id = c.id and v.version = c.current_version`);
    expect(all.length).toBeGreaterThan(3);
    for (const { id, ...version } of all) {
      const working = await composed(db, id);
      expect(working && { ...working.document, prerequisites: [] }).toEqual({ ...version.document, prerequisites: [] });
      expect(working && sameForLearners(working, version)).toBe(true);
    }
  });

  it('publishes the working copy, and open attempts finish their version', async () => {
    const { content, topics, lesson, quiz } = await whole();
    expect(getContent.response.safeParse(content).error).toBeUndefined();
    expect(content).toMatchObject({
      published: false,
      version: 0,
      has_changes: true,
      problems: [],
      topics: topics.map(({ id, title }) => ({ id, title })),
    });
    expect((await documentOf(content.id)).status).toBe(404);

    const published = (await post<Content>(`/content/${content.id}/publish`, { note: 'First' })).data;
    expect(published).toMatchObject({ published: true, version: 1, has_changes: false });
    const first = (await documentOf(content.id)).body.data;
    expect(first.lessons[0]?.topics.map((t) => [t.title, t.is_child, t.parent_id])).toEqual([
      ['Why hands matter', false, null],
      ['How to', true, topics[0]?.id],
    ]);
    expect(first.quizzes[0]?.questions.map((q) => q.kind)).toEqual(['single', 'true_false']);
    expect(JSON.stringify(first)).not.toMatch(/That spreads infection|correct/);

    // Begun, then changed: the attempt stays on its version, the next one gets the new.
    const attempt = (
      await post<{ id: string; content_version: number }>(
        `/users/${demoId('user:learner@willowbrook.test')}/attempts`,
        { content_id: content.id },
        learner,
      )
    ).data;
    expect(attempt.content_version).toBe(1);
    await patch(`/topics/${topics[0]?.id}`, { blocks: [text('Wash them well.')] });
    expect(await get<Content>(`/content/${content.id}`)).toMatchObject({ has_changes: true, version: 1 });
    expect((await documentOf(content.id)).body.data.version).toBe(1);
    await post(`/content/${content.id}/publish`, { note: 'Well', material: true });
    expect((await documentOf(content.id, '1')).body.data).toEqual(first);
    expect(JSON.stringify((await documentOf(content.id)).body.data)).toContain('Wash them well.');
    // A shared tablet counts once, one that has been silent for long not at all.
    const keeps = (device_id: string, version: number, by: TestClient) => {
      const kept = [
        { content_id: content.id, version },
        { content_id: crypto.randomUUID(), version: 2 },
      ];
      const nothing = {
        oldest_waiting_at: null,
        storage_used: null,
        storage_quota: null,
        persisted: true,
        clock_behind_ms: 0,
        locked_by: [],
        incidents: [],
      };
      const report = { device_id, app_version: '1.0.0', waiting: 0, needs_person: 0, ...nothing, kept };
      return by.json('POST', '/devices/check-in', { report, witnesses: [] });
    };
    const other = await signedIn('manager@willowbrook.test');
    for (const by of [learner, other]) await keeps('ab12cd34', 1, by);
    await keeps('ab12cd35', 1, learner);
    await keeps('ab12cd36', 2, other);
    await keeps('ab12cd37', 2, await signedIn('learner@harbourview.test'));
    const versions = await get<ContentVersion[]>(`/content/${content.id}/versions`);
    expect(versions).toMatchObject([
      { version: 2, note: 'Well', material: true, current: true, people: 0, open: 0, devices: 1 },
      { version: 1, note: 'First', material: false, current: false, people: 1, open: 1, devices: 2 },
    ]);
    // A device's newer report replaces the earlier one.
    await keeps('ab12cd35', 2, learner);
    expect((await get<ContentVersion[]>(`/content/${content.id}/versions`)).map((v) => v.devices)).toEqual([2, 1]);

    // Publishing without a change makes no version; withdrawn content is no longer offered, and open attempts stay.
    expect((await post<Content>(`/content/${content.id}/publish`, {})).data.version).toBe(2);
    await patch(`/content/${content.id}`, { published: false });
    expect((await documentOf(content.id, '', await signedIn('manager@willowbrook.test'))).status).toBe(404);
    expect((await documentOf(content.id, '1')).status).toBe(200);

    // A deleted lesson and quiz stay in the versions.
    expect((await author.json('DELETE', `/lessons/${lesson.id}`)).status).toBe(204);
    expect((await author.json('DELETE', `/quizzes/${quiz.id}`)).status).toBe(204);
    expect(await get<Content>(`/content/${content.id}`)).toMatchObject({ lessons: [], quizzes: [], problems: ['It has no lesson and no quiz yet.'] });
    expect((await documentOf(content.id, '1')).body.data).toEqual(first);
  });

  it('says what stands in the way of publishing, and refuses it', async () => {
    const content = await newContent();
    const refused = await post(`/content/${content.id}/publish`, {});
    expect(refused.errors).toEqual({ published: ['It cannot be published yet. It has no lesson and no quiz yet.'] });
    expect((await patch(`/content/${content.id}`, { published: true })).status).toBe(422);
    expect((await post('/content', { type: 'elearning', course_id: content.course.id, title: 'At once', published: true })).errors).toHaveProperty(
      'published',
    );
    const lesson = await newLesson('Empty', [await newTopic('Nothing in it', [])]);
    const quiz = await newQuiz('No questions', []);
    await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
    await post(`/content/${content.id}/quizzes`, { action: 'add', quiz_id: quiz.id });
    expect((await get<Content>(`/content/${content.id}`)).problems).toEqual([
      'The topic “Nothing in it” is empty.',
      'The quiz “No questions” has no questions.',
    ]);
    expect((await post<Content>(`/quizzes/${quiz.id}/content/${content.id}`, { question_qty: 3 })).errors).toEqual({
      question_qty: ['The quiz has 0 questions.'],
    });
  });

  it('adds, removes and orders lessons, topics and quizzes', async () => {
    const content = await newContent();
    const lessons = [await newLesson('One', []), await newLesson('Two', []), await newLesson('Three', [])];
    const [one, two, three] = lessons.map((l) => l.id);
    for (const id of [one, two, three]) await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: id });
    const titles = async () => (await get<Content>(`/content/${content.id}`)).lessons.map((l) => l.title);
    await post(`/content/${content.id}/lessons`, { action: 'order', ids: [three, one, two] });
    expect(await titles()).toEqual(['Three', 'One', 'Two']);
    await post(`/content/${content.id}/lessons`, { action: 'remove', lesson_id: one });
    expect(await titles()).toEqual(['Three', 'Two']);
    expect((await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: two })).errors).toEqual({
      lesson_id: ['This lesson is already there.'],
    });
    expect((await post(`/content/${content.id}/lessons`, { action: 'order', ids: [three] })).errors).toHaveProperty('ids');
    expect((await post(`/content/${content.id}/lessons`, { action: 'order', ids: [three, three] })).errors).toHaveProperty('ids');
    // What is already there is not offered; the uses of a part are shown.
    const offered = await get<LessonLine[]>(`/lessons?available_to=${content.id}&per_page=100`);
    expect(offered.map((l) => l.title).filter((t) => ['One', 'Two', 'Three'].includes(t))).toEqual(['One']);
    expect((await get<AuthoredLesson>(`/lessons/${two}`)).used_in).toEqual([{ id: content.id, title: content.title }]);
    expect((await get<AuthoredLesson>(`/lessons/${one}`)).used_in).toEqual([]);
    expect(getLesson.response.safeParse(await get(`/lessons/${two}`)).error).toBeUndefined();
  });

  it('keeps, edits and orders the questions of a quiz, and lends them to others', async () => {
    const quiz = await newQuiz();
    expect(getQuiz.response.safeParse(quiz).error).toBeUndefined();
    expect(quiz.questions).toMatchObject(questions());
    const [first, second] = quiz.questions.map((q) => q.id as string);
    const turned = (await post<AuthoredQuiz>('/questions/changeOrder', { quiz_id: quiz.id, questions: [second, first] })).data;
    expect(turned.questions.map((q) => q.id)).toEqual([second, first]);
    // One changed, one gone, one new.
    const [changed] = turned.questions;
    const saved = await patch<AuthoredQuiz>(`/quizzes/${quiz.id}`, {
      rev: turned.rev,
      questions: [
        { ...changed, prompt: 'Gloves are enough.' },
        { kind: 'free_text', prompt: 'Why?', feedback: 'Because.', min_words: 5 },
      ],
    });
    expect(saved.body.data.questions).toMatchObject([
      { id: second, prompt: 'Gloves are enough.' },
      { kind: 'free_text', min_words: 5 },
    ]);
    // Saving the same again is no change.
    expect((await patch<AuthoredQuiz>(`/quizzes/${quiz.id}`, { questions: saved.body.data.questions })).body.data.rev).toBe(saved.body.data.rev);
    const late = await patch<AuthoredQuiz>(`/quizzes/${quiz.id}`, { rev: turned.rev, title: 'Late' });
    expect([late.status, late.body.code, late.body.current?.rev]).toEqual([409, 'rev_mismatch', saved.body.data.rev]);
    const other = await newQuiz('Other', []);
    const bank = await get<BankQuestion[]>(`/questions?available_to=${other.id}&search=gloves%20are%20enough`);
    expect(bank).toMatchObject([{ quiz: { id: quiz.id }, question: { kind: 'true_false', correct: false } }]);
    const stolen = await patch(`/quizzes/${other.id}`, { questions: [bank[0]?.question as object] });
    expect(stolen.body.errors).toHaveProperty(['questions.0']);
  });

  it('re-encodes pictures, and takes no file of another organisation into a topic', async () => {
    const upload = async (by: TestClient, bytes: Buffer) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)]), 'photo.png');
      const sent = new Response(form);
      return by.json<Answer<Media>>('POST', '/content/images', Buffer.from(await sent.arrayBuffer()), {
        'content-type': sent.headers.get('content-type') ?? '',
      });
    };
    const drawn = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#0b7a75' } })
      .png()
      .toBuffer();
    const { status, body } = await upload(author, drawn);
    expect([status, body.data.type]).toEqual([201, 'image/webp']);
    const stored = await sharp((await createFileStore(join(server.folder, 'files')).get(body.data.hash)) as Buffer).metadata();
    expect([stored.width, stored.height]).toEqual([1600, 800]);
    expect((await upload(author, Buffer.from('this is no picture'))).body.errors).toHaveProperty('file');
    expect((await upload(learner, drawn)).status).toBe(403);

    const picture: Block = { kind: 'image', media: body.data, alt: 'Green', caption: '' };
    // The stored details of the file are returned, whatever was sent.
    const topic = await newTopic('With a picture', [{ ...picture, media: { ...body.data, url: 'https://elsewhere.test/x.png', bytes: 1 } }]);
    expect(getTopic.response.safeParse(topic).error).toBeUndefined();
    expect(topic.blocks).toEqual([picture]);
    expect((await post('/topics', { title: 'Not theirs', blocks: [picture] }, rival)).errors).toHaveProperty(['blocks.0']);
    expect(
      (await post('/topics', { title: 'Wrong kind', blocks: [{ kind: 'audio', media: body.data, title: '', transcript: '' }] })).errors,
    ).toHaveProperty(['blocks.0']);
    // The same for the pictures of a question and its answers.
    const [asked] = questions();
    const shown = (media: Media) => {
      const [first, ...others] = asked?.kind === 'single' ? asked.options : [];
      return {
        ...asked,
        picture: { media, alt: 'Green' },
        options: [{ ...first, picture: { media, alt: '', decorative: true } }, ...others],
      } as AuthoredQuestion;
    };
    const quiz = await newQuiz('With pictures', [shown({ ...body.data, url: 'https://elsewhere.test/x.png', bytes: 1 })]);
    expect(quiz.questions).toMatchObject([shown(body.data)]);
    expect((await patch<AuthoredQuiz>(`/quizzes/${quiz.id}`, { questions: quiz.questions })).body.data.rev).toBe(quiz.rev);
    expect((await post('/quizzes', { title: 'Not theirs', questions: [shown(body.data)] }, rival)).errors).toHaveProperty(['questions.0.picture']);
    const content = await newContent('With a picture', { image: { hash: body.data.hash }, image_alt: 'Green' });
    expect(content).toMatchObject({ image: body.data, image_alt: 'Green' });
    // Removed from the pictures, it stays where it is shown and cannot be added elsewhere.
    expect((await author.json('POST', '/content/images/delete', { hash: body.data.hash })).status).toBe(204);
    expect((await patch<Content>(`/content/${content.id}`, { image: { hash: body.data.hash }, aims: 'Same' })).status).toBe(200);
    expect((await post('/topics', { title: 'Again', blocks: [picture] })).errors).toHaveProperty(['blocks.0']);
  });

  it('asks for practice in a topic: unfinished it is kept and not published, finished its answer goes along', async () => {
    const id = crypto.randomUUID();
    const question = { id, kind: 'true_false', prompt: 'Gloves replace washing.' } as const;
    const topic = await newTopic('Gloves', [text('Wash.'), { kind: 'question', question, key: null }]);
    expect(topic.blocks[1]).toEqual({ kind: 'question', question, key: null });
    const content = await newContent('Gloves');
    await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: (await newLesson('One', [topic])).id });
    const { errors } = await post(`/content/${content.id}/publish`, {});
    expect(errors?.published?.[0]).toMatch(/A question in the topic “Gloves” is not finished. Choose whether it is true or false/);
    const asked: Block = { kind: 'question', question, key: { kind: 'true_false', value: false, feedback: 'Both.' } };
    expect((await patch(`/topics/${topic.id}`, { blocks: [asked] })).status).toBe(200);
    expect((await patch(`/topics/${topic.id}`, { blocks: [asked, asked] })).body.errors).toHaveProperty('blocks');
    expect((await patch(`/topics/${topic.id}`, { blocks: [{ ...asked, key: { kind: 'single', option: '', feedback: '' } }] })).status).toBe(422);
    const media = { hash: 'f'.repeat(64), url: 'https://elsewhere.test/x.png', type: 'image/png', bytes: 1 };
    const pictured = { ...asked, question: { ...question, picture: { media, alt: '' } } };
    expect((await patch(`/topics/${topic.id}`, { blocks: [pictured] })).body.errors).toHaveProperty(['blocks.0']);
    await post(`/content/${content.id}/publish`, {});
    expect((await composed(server.database.db, content.id))?.document.lessons[0]?.topics[0]?.blocks).toEqual([asked]);
    await patch(`/topics/${topic.id}`, { blocks: [{ ...asked, key: { ...asked.key, value: true } }] });
    expect(await get<Content>(`/content/${content.id}`)).toMatchObject({ changes: ['What is written in the topic “Gloves”.'], problems: [] });
  });

  it('puts an activity of the library into a topic', async () => {
    const [h5p] = await get<{ id: string; title: string }[]>('/h5ps');
    const topic = await newTopic('With an activity', [text('Try it.')], { h5p_id: h5p?.id });
    expect(topic).toMatchObject({
      h5p: { id: h5p?.id },
      h5ps: [{ title: h5p?.title }],
      blocks: [{ kind: 'text' }, { kind: 'h5p', h5p_id: h5p?.id }],
    });
    expect(await get<H5pDetail>(`/h5ps/${h5p?.id}`)).toMatchObject({ used_in: [{ id: topic.id, title: 'With an activity' }] });
    expect((await patch<AuthoredTopic>(`/topics/${topic.id}`, { h5p_id: null })).body.data).toMatchObject({ h5p: null, blocks: [{ kind: 'text' }] });
    expect((await post('/topics', { title: 'Not theirs', h5p_id: h5p?.id }, rival)).errors).toHaveProperty('h5p_id');
  });

  it('refuses a circle of prerequisites, and contents of others', async () => {
    const [a, b, c] = [await newContent('A'), await newContent('B'), await newContent('C')];
    const required = (id: string, of: string) => patch<Content>(`/content/${id}`, { prerequisites: [{ prerequisite_contents: [{ id: of }] }] });
    expect((await required(b.id, a.id)).body.data.prerequisites).toEqual([{ prerequisite_contents: [{ id: a.id, title: 'A' }] }]);
    expect((await required(c.id, b.id)).status).toBe(200);
    expect((await required(a.id, c.id)).body.errors).toEqual({
      prerequisites: ['“C” itself comes after this content: nobody could begin either of them.'],
    });
    expect((await required(a.id, a.id)).body.errors).toHaveProperty('prerequisites');
    expect((await required(a.id, crypto.randomUUID())).body.errors).toHaveProperty(['prerequisites.0']);
    expect((await patch<Content>(`/content/${b.id}`, { prerequisites: [] })).body.data.prerequisites).toEqual([]);
  });

  it('copies a content with its parts; of another’s it copies what is published, without the answers', async () => {
    const { content, quiz } = await whole();
    const course = await newCourse('Copies');
    const copy = (await post<Content>(`/content/${content.id}/copy`, { title: 'A copy', course_id: course.id })).data;
    expect(copy).toMatchObject({
      title: 'A copy',
      published: false,
      version: 0,
      problems: [],
      topics: content.topics.map(({ title }) => ({ title })),
    });
    expect(copy.lessons[0]?.id).not.toBe(content.lessons[0]?.id);
    const copied = await get<AuthoredQuiz>(`/quizzes/${copy.quizzes[0]?.id}`);
    expect(copied.questions.map((q) => q.prompt)).toEqual(quiz.questions.map((q) => q.prompt));
    expect(copied.questions.map((q) => q.id)).not.toEqual(quiz.questions.map((q) => q.id));
    const library = await get<Content>(`/content/${demoId('content:fire-safety')}`);
    expect(library).toMatchObject({ editable: false, has_changes: false });
    expect(library.lessons.length).toBeGreaterThan(0);
    const ours = (await post<Content>(`/content/${library.id}/copy`, { title: 'Our fire safety', course_id: course.id })).data;
    expect(ours).toMatchObject({ editable: true, topics: library.topics.map(({ title }) => ({ title })), quizzes: [] });
    expect((await post<Content>(`/content/${ours.id}/publish`, {})).data.version).toBe(1);
  });

  it('says what needs a course before it is deleted, and deletes one that nothing needs', async () => {
    const course = await newCourse('To go');
    expect(getCourse.response.safeParse(course).error).toBeUndefined();
    const content = (await post<Content>('/content', { type: 'face2face', course_id: course.id, title: 'In a room' })).data;
    expect((await get<CourseUses>(`/courses/${course.id}/uses`)).needed_by).toEqual(['1 content belongs to it']);
    const refused = await author.json<Answer<never>>('DELETE', `/courses/${course.id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This course cannot be deleted: 1 content belongs to it. Take back “Published” instead.',
    ]);
    await author.json('DELETE', `/content/${content.id}`);
    expect((await author.json('DELETE', `/courses/${course.id}`)).status).toBe(204);
    expect((await author.json('GET', `/courses/${course.id}`)).status).toBe(404);
    // They cannot change a course of the library, whatever depends on it.
    const [shared] = await get<CourseDetail[]>('/courses?search=moving');
    expect((await patch(`/courses/${shared?.id}`, { title: 'Ours' })).status).toBe(404);
    expect((await author.json('DELETE', `/courses/${shared?.id}`)).status).toBe(404);
  });

  it('is no business of others, and an entry by the office alone is offered to nobody', async () => {
    const { content, topics, lesson, quiz } = await whole();
    for (const path of [`/content/${content.id}`, `/lessons/${lesson.id}`, `/topics/${topics[0]?.id}`, `/quizzes/${quiz.id}`]) {
      expect([path, (await rival.json('GET', path)).status]).toEqual([path, 404]);
      expect([path, (await patch(path, { title: 'Ours' }, rival)).status]).toEqual([path, 404]);
      expect([path, (await rival.json('DELETE', path)).status]).toEqual([path, 404]);
      expect([path, (await learner.json('GET', path)).status]).toEqual([path, 403]);
    }
    expect((await post(`/content/${content.id}/lessons`, { action: 'remove', lesson_id: lesson.id }, rival)).code).toBe('not_found');
    expect((await get<QuizLine[]>('/quizzes?per_page=100', rival)).some((q) => q.id === quiz.id)).toBe(false);
    // Another organisation's lesson cannot be added to their content.
    const own = (
      await post<Content>(
        '/content',
        { type: 'elearning', course_id: (await post<CourseDetail>('/courses', { title: 'R', short_title: 'R' }, rival)).data.id, title: 'R' },
        rival,
      )
    ).data;
    expect((await post(`/content/${own.id}/lessons`, { action: 'add', lesson_id: lesson.id }, rival)).code).toBe('not_found');
    await post(`/content/${content.id}/publish`, {});
    const other = await signedIn('manager@willowbrook.test');
    expect((await documentOf(content.id, '', other)).status).toBe(200);
    await patch(`/content/${content.id}`, { admin_only: true });
    expect((await documentOf(content.id, '', other)).status).toBe(404);
  });
});

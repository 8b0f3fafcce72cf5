import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Content, CourseDetail } from '#contract/entities/authored-content.ts';
import type { AuthoredQuiz } from '#contract/entities/authored-parts.ts';
import type { Answer } from '#contract/entities/content.ts';
import type { QuizStatistics } from '#contract/entities/quiz-statistics.ts';
import { dayIn, addDays } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const people = ['learner', 'manager'].map((name) => `${name}@willowbrook.test`);

describe('statistics of a quiz', () => {
  let server: TestApp;
  let author: TestClient;
  let quiz: AuthoredQuiz;
  let content: string;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const send = async <T>(method: string, path: string, body: object, by = author): Promise<T> =>
    (await by.json<{ data: T }>(method, path, body)).body.data;
  const statistics = (query = '', by = author) => by.json<{ data: QuizStatistics }>('GET', `/quizzes/${quiz.id}/statistics${query}`);

  beforeAll(async () => {
    server = await startTestApp();
    author = await signedIn('admin@willowbrook.test');
    quiz = await send<AuthoredQuiz>('POST', '/quizzes', {
      title: 'Check',
      pass_percent: 100,
      questions: [
        {
          ...{ kind: 'multiple', prompt: 'What do you need?', feedback: '' },
          options: ['Soap', 'Water', 'Gloves'].map((text, i) => ({ id: `o${i}`, text, correct: i < 2, feedback: '' })),
        },
        { kind: 'true_false', prompt: 'Gloves replace washing.', correct: false, feedback: '' },
        { kind: 'free_text', prompt: 'Why?', feedback: '', min_words: 3 },
      ],
    });
    const course = (await send<CourseDetail>('POST', '/courses', { title: 'Hands', short_title: 'Hands' })).id;
    content = (await send<Content>('POST', '/content', { type: 'elearning', course_id: course, title: 'Hands online' })).id;
    await send('POST', `/content/${content}/quizzes`, { action: 'add', quiz_id: quiz.id });
    await send('POST', `/content/${content}/publish`, {});
  });
  afterAll(() => server.close());

  it('is empty before anybody has taken it', async () => {
    expect((await statistics()).body.data).toEqual({ tries: 0, passed: 0, questions: [], versions: [] });
  });

  it('tells first tries, and what was chosen instead, without names and without what people wrote', async () => {
    const [needs, gloves, why] = quiz.questions.map((q) => q.id as string) as [string, string, string];
    for (const [i, email] of people.entries()) {
      const learner = await signedIn(email);
      const attempt = await send<Attempt>('POST', `/users/${demoId(`user:${email}`)}/attempts`, { content_id: content }, learner);
      const take = (try_no: number, answers: Record<string, Answer>) =>
        send('POST', '/quizzes/take', { attempt_id: attempt.id, quiz_id: quiz.id, try_no, answers }, learner);
      const written: Answer = { kind: 'free_text', text: `${email} says too little of it` };
      // The same choice, whichever was ticked first.
      await take(1, {
        [needs]: { kind: 'multiple', options: i === 0 ? ['o0', 'o2'] : ['o2', 'o0'] },
        ...(i === 0 ? { [gloves]: { kind: 'true_false', value: false } } : {}),
        [why]: written,
      });
      await take(2, { [needs]: { kind: 'multiple', options: ['o0', 'o1'] }, [gloves]: { kind: 'true_false', value: false }, [why]: written });
    }
    const { data } = (await statistics()).body;
    expect(data).toMatchObject({ tries: 2, passed: 0, versions: [{ content: { id: content }, version: 1, tries: 2 }] });
    expect(data.questions).toEqual([
      {
        question_id: needs,
        kind: 'multiple',
        prompt: 'What do you need?',
        asked: 2,
        right: 0,
        skipped: 0,
        instead: [{ words: 'Soap + Gloves', count: 2 }],
      },
      { question_id: gloves, kind: 'true_false', prompt: 'Gloves replace washing.', asked: 2, right: 1, skipped: 1, instead: [] },
      { question_id: why, kind: 'free_text', prompt: 'Why?', asked: 2, right: 2, skipped: 0, instead: [] },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/willowbrook\.test|too little/);
  });

  it('are of the days and the version that are asked for', async () => {
    const today = dayIn(server.clock.now, 'Europe/London');
    expect((await statistics(`?from=${today}&to=${today}`)).body.data.tries).toBe(2);
    expect((await statistics(`?from=${addDays(today, 1)}`)).body.data).toMatchObject({ tries: 0, questions: [], versions: [{ tries: 2 }] });
    expect((await statistics(`?content_id=${content}&version=1`)).body.data.tries).toBe(2);
    expect((await statistics(`?content_id=${content}&version=2`)).body.data.tries).toBe(0);
    expect((await statistics('?from=2026-02-31')).status).toBe(422);
  });

  it('are of the organisation that has the quiz, and of its people', async () => {
    expect((await statistics('', await signedIn('admin@brightpath.test'))).status).toBe(404);
    expect((await statistics('', await signedIn('learner@willowbrook.test'))).status).toBe(403);
    await server.database.db.run(
      sql`update users set primary_entity_id = (select id from entities where slug = 'brightpath') where email = ${people[0] as string}`,
    );
    expect((await statistics()).body.data.tries).toBe(1);
  });
});

import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQuestionFile } from '#contract/api/question-files.ts';
import type { AuthoredQuiz } from '#contract/entities/authored-parts.ts';
import { type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; errors?: Record<string, string[]>; code?: string };

describe('a file of questions', () => {
  let server: TestApp;
  let author: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    author = server.client();
    await author.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const read = (file: string | Buffer, by = author, type = 'application/octet-stream') =>
    by.json<Answer<QuestionFile>>('POST', '/questions/read?name=hands.gift', Buffer.from(file as string), { 'content-type': type });

  it('is read without anything being written, and what was found makes a quiz', async () => {
    const { status, body } = await read('Soap or sand?{=Soap ~Sand}\n\nHow long?{#20:2}');
    expect([status, readQuestionFile.response.safeParse(body.data).error]).toEqual([200, undefined]);
    expect(body.data.questions.map((q) => [q.place, q.question?.kind, q.why])).toEqual([
      ['question 1', 'single', null],
      ['question 2', undefined, 'A numerical answer with a range has no counterpart here.'],
    ]);
    expect(readdirSync(uploadsFolder(server.folder))).toEqual([]);
    const questions = body.data.questions.flatMap((q) => q.question ?? []);
    const made = await author.json<Answer<AuthoredQuiz>>('POST', '/quizzes', { title: 'From a file', questions });
    expect([made.status, made.body.data.questions]).toMatchObject([201, questions]);
  });
  it('is refused in words where it is none, and to whoever may not write', async () => {
    const refused = await read(Buffer.from('PK\x03\x04 no archive', 'latin1'));
    expect([refused.status, refused.body.errors?.file?.[0]]).toEqual([422, expect.stringContaining('cannot be read as a ZIP archive')]);
    expect((await read('x{T}', author, 'text/plain')).status).toBe(415);
    expect((await read(Buffer.alloc(questionFileLimits.bytes + 1))).status).toBe(413);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await read('x{T}', learner)).status).toBe(403);
  });
});

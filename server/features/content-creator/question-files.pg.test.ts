import { readdirSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQuestionFile, takeQuestions } from '#contract/api/question-files.ts';
import type { AuthoredQuiz } from '#contract/entities/authored-parts.ts';
import { type QuestionFile, questionFileLimits, type TakenQuestions } from '#contract/entities/question-file.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { sql } from '#server/db/sql.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import { zip } from '#tests/support/archives.ts';
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
  it('gives its pictures to the importing organisation, once they are imported; those that cannot be decoded are reported', async () => {
    const drawn = (background: string) =>
      sharp({ create: { width: 60, height: 40, channels: 3, background } })
        .png()
        .toBuffer();
    // Claims to have more than 100 megapixels: a few bytes that would need hundreds of megabytes.
    const huge = Buffer.from(await drawn('#123'));
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(20_000, 20);
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    const item = (n: number, prompt: string) =>
      `<assessmentItem identifier="i${n}" title="Question ${n}" adaptive="false"><responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody>${prompt}<choiceInteraction responseIdentifier="R"><prompt>Which?</prompt><simpleChoice identifier="a">Soap<img src="soap.png" alt="A bar of soap"/></simpleChoice><simpleChoice identifier="b">Sand</simpleChoice></choiceInteraction></itemBody></assessmentItem>`;
    const resources = [1, 2, 3].map(
      (n) => `<resource identifier="r${n}" type="imsqti_item_xmlv2p1" href="${n}.xml"><file href="${n}.xml"/></resource>`,
    );
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const file = await zip({
      'imsmanifest.xml': `<manifest identifier="m"><organizations/><resources>${resources.join('')}</resources></manifest>`,
      '1.xml': item(1, '<img src="huge.png" alt="A ward"/>'),
      '2.xml': item(2, '<img src="bad.svg" alt="A plan"/>'),
      '3.xml': item(3, '<img src="other.png" alt=""/>'),
      ...{ 'soap.png': await drawn('#0a7'), 'other.png': await drawn('#a07'), 'huge.png': huge, 'bad.svg': script },
    });
    const kept = async () => (await server.database.db.all<{ hash: string }>(sql`select hash from content_files`)).length;
    const before = await kept();
    const found = (await read(file)).body.data.questions;
    expect(found.map((q) => [q.pictures, q.question && picturesOf(q.question)])).toEqual([
      [2, []],
      [1, []],
      [2, []],
    ]);
    expect(found[1]?.notes).toEqual([
      'One picture is left behind (“A plan”): a drawing (SVG) that does more than draw. Add it by hand if the question needs it.',
    ]);
    expect(await kept()).toBe(before);

    const take = (questions: string, by = author, bytes = file) =>
      by.json<Answer<TakenQuestions>>('POST', `/questions/take?name=hands.zip&questions=${questions}`, bytes, {
        'content-type': 'application/octet-stream',
      });
    const { status, body } = await take('1,0');
    expect([status, takeQuestions.response.safeParse(body.data).error]).toEqual([200, undefined]);
    expect(body.data.left).toEqual(['Question 1 (1.xml): a picture (“A ward”) is left behind: damaged, or of more than 100 megapixels.']);
    const questions = body.data.questions.map((q) => q.question);
    expect(body.data.questions.map((q) => [q.index, picturesOf(q.question)])).toMatchObject([
      [1, [{ path: 'options.0.picture', picture: { alt: 'A bar of soap', media: { type: 'image/webp' } } }]],
      [0, [{ path: 'options.0.picture', picture: { alt: 'A bar of soap', media: { type: 'image/webp' } } }]],
    ]);
    // The picture of the third, which nobody took, is not stored.
    expect(await kept()).toBe(before + 1);
    expect(readdirSync(uploadsFolder(server.folder))).toEqual([]);

    const made = await author.json<Answer<AuthoredQuiz>>('POST', '/quizzes', { title: 'With pictures', questions });
    expect([made.status, made.body.data.questions]).toMatchObject([201, questions]);
    const rival = server.client();
    await rival.signIn('admin@brightpath.test');
    const stolen = await rival.json<Answer<AuthoredQuiz>>('POST', '/quizzes', { title: 'Theirs', questions });
    expect([stolen.status, stolen.body.errors]).toEqual([
      422,
      { 'questions.0.options.0.picture': ['This picture is not one of your organisation. Upload it again.'] },
    ]);
    expect((await take('7')).body.errors).toEqual({ questions: ['There is no question 8 in this file that could be taken.'] });
    expect((await take('x')).status).toBe(422);
    expect((await take('0', author, Buffer.from('nothing'))).body.errors).toEqual({
      file: [expect.stringContaining('There is no question in this file.')],
    });
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await take('0', learner)).status).toBe(403);
  });
  it('is refused in words if it is not one, and to people who may not write', async () => {
    const refused = await read(Buffer.from('PK\x03\x04 no archive', 'latin1'));
    expect([refused.status, refused.body.errors?.file?.[0]]).toEqual([422, expect.stringContaining('cannot be read as a ZIP archive')]);
    expect((await read('x{T}', author, 'text/plain')).status).toBe(415);
    expect((await read(Buffer.alloc(questionFileLimits.bytes + 1))).status).toBe(413);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await read('x{T}', learner)).status).toBe(403);
  });
});

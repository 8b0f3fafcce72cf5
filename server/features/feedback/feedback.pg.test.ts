import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedbackLine, FeedbackSummary, OwnFeedback } from '#contract/entities/feedback.ts';
import type { Message } from '#contract/entities/message.ts';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const content = demoId('content:fire-safety');
const learnerId = demoId('user:learner@willowbrook.test');
type Answer<T> = { data: T; code?: string; current?: { rev: number }; errors?: Record<string, string[]>; meta?: { outcomes: { outcome: string }[] } };

describe('what learners say of a content', () => {
  let server: TestApp;
  let author: TestClient;
  let learner: TestClient;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const change = (command: string, args: object, more: object = {}) => ({
    ...{
      id: randomUUID() as string,
      version: 1,
      at: server.clock.now.toISOString(),
      command: `feedback.${command}`,
      args: { message: '', version: 1, ...args },
    },
    ...more,
  });
  const say = (who: TestClient, said: ReturnType<typeof change>, of = content) =>
    who.json<Answer<OwnFeedback>>('PATCH', `/content/${of}/feedback`, { changes: [said] });
  const list = async (query = '', who = author) =>
    (await who.json<Answer<FeedbackLine[]>>('GET', `/learner-feedback?content_id=${content}${query}`)).body.data;
  const summary = async (who = author) =>
    (await who.json<Answer<FeedbackSummary>>('GET', `/learner-feedback/summary?content_id=${content}`)).body.data;
  const answer = (id: string, body: object, who = author) =>
    who.json<Answer<FeedbackLine>>('POST', `/learner-feedback/${id}/answers`, { message: '', mended_in: null, rev: 0, ...body });
  const own = async (who = learner) => (await who.json<Answer<OwnFeedback[]>>('GET', `/content/${content}/feedback`)).body.data;

  beforeAll(async () => {
    server = await startTestApp();
    author = await as('admin@willowbrook.test');
    learner = await as('learner@willowbrook.test');
  });
  afterAll(() => server.close());

  it('is taken once, however often it arrives, and never under another’s name', async () => {
    const said = change('ask', { message: 'Which door in the west wing?' });
    const first = await say(learner, said);
    expect(first).toMatchObject({ status: 200, body: { data: { id: said.id, kind: 'question', state: 'open', version: 1, answers: [] } } });
    expect((await say(learner, said)).body.data).toEqual(first.body.data);
    expect((await say(learner, { ...said, args: { ...said.args, message: 'Other' } })).body.code).toBe('idempotency_mismatch');
    const other = { [protocol.actorHeader]: randomUUID() };
    const taken = await learner.json<Answer<OwnFeedback>>(
      'PATCH',
      `/content/${content}/feedback`,
      { changes: [change('ask', { message: 'Hello?' })] },
      other,
    );
    expect(taken.body.code).toBe('actor_mismatch');
    expect(await own()).toHaveLength(1);
    expect((await say(learner, change('ask', { message: '  ' }))).status).toBe(422);
    expect((await say(learner, change('rate', { rating: 6 }))).status).toBe(422);
  });

  it('names where a problem is, in the version that it is about, also of what was withdrawn meanwhile', async () => {
    const { db } = server.database;
    const { topic, lesson } = (await db.one<{ topic: string; lesson: string }>(
      sql`select document #>> '{lessons,0,topics,0,id}' as topic, document #>> '{lessons,0,title}' as lesson from content_versions where content_id = ${content} and version = 1`,
    )) as { topic: string; lesson: string };
    await db.run(sql`update contents set published = false where id = ${content}`);
    const said = await say(
      learner,
      change('report', { what: 'text', message: 'The year is wrong.', part: topic, item: null }, { at: '2026-01-02T03:04:05.000Z' }),
    );
    expect(said.body.data).toMatchObject({
      ...{ what: 'text', version: 1, at: '2026-01-02T03:04:05.000Z', state: 'open' },
      place: { lesson, part: { kind: 'topic', id: topic }, item: null },
    });
    const far = await say(learner, change('report', { what: 'other', version: 99, part: 'nowhere', item: null }));
    expect(far.body.data).toMatchObject({ version: 1, place: null });
    await db.run(sql`update contents set published = true where id = ${content}`);
    // People who never had access to it cannot give feedback on it.
    const outsider = await as('admin@brightpath.test');
    const { id: course } = (await author.json<Answer<{ id: string }>>('POST', '/courses', { title: 'Ours', short_title: 'Ours' })).body.data;
    const ours = (await author.json<Answer<{ id: string }>>('POST', '/content', { type: 'face2face', course_id: course, title: 'Ours' })).body.data;
    expect((await say(outsider, change('ask', { message: 'Hello?', version: 0 }), ours.id)).status).toBe(404);
    expect((await say(learner, change('ask', { message: 'When?', version: 0 }), ours.id)).body.data).toMatchObject({ version: null });
  });

  it('is answered, and announced in a message from the author', async () => {
    const question = (await list('&kind=question'))[0] as FeedbackLine;
    expect(question).toMatchObject({ person: { id: learnerId }, content: { id: content, editable: false }, rev: 0 });
    expect((await answer(question.id, { state: 'answered' })).body.errors).toEqual({ message: ['Write a few words.'] });
    expect((await answer(question.id, { state: 'mended', mended_in: 1 })).body.errors?.state).toBeDefined();
    const done = await answer(question.id, { state: 'answered', message: 'The green one.' });
    expect(done).toMatchObject({ status: 201, body: { data: { state: 'answered', rev: 1, answers: [{ message: 'The green one.' }] } } });
    const twice = await answer(question.id, { state: 'closed', message: 'Asked before.' });
    expect([twice.status, twice.body.code, twice.body.current?.rev]).toEqual([409, 'rev_mismatch', 1]);
    const [mine] = (await own()).filter((f) => f.kind === 'question');
    expect(mine?.answers.map((a) => a.message)).toEqual(['The green one.']);
    const received = (await learner.json<Answer<Message[]>>('GET', `/users/${learnerId}/received/messages`)).body.data;
    expect(received.filter((m) => m.message.includes('The green one.')).map((m) => m.message)).toEqual([
      expect.stringMatching(/^About “.+”\. You asked: “Which door in the west wing\?”\n\nThe green one\.$/),
    ]);
  });

  it('says how a problem stands until it is mended, in a version that there is or will be next', async () => {
    const [problem] = (await list('&kind=problem&search=year')) as [FeedbackLine];
    expect((await summary()).open).toEqual({ question: 0, problem: 2 });
    const looked = await answer(problem.id, { state: 'looked_at' });
    expect(looked.body.data).toMatchObject({ state: 'looked_at', rev: 1 });
    expect((await list('&filter=open')).map((f) => f.id)).toContain(problem.id);
    expect((await answer(problem.id, { state: 'mended', mended_in: 99, rev: 1 })).body.errors?.mended_in).toBeDefined();
    const mended = await answer(problem.id, { state: 'mended', mended_in: problem.content.version + 1, rev: 1 });
    expect(mended.body.data).toMatchObject({ state: 'mended', answers: [{ state: 'looked_at' }, { mended_in: problem.content.version + 1 }] });
    expect((await list('&filter=answered')).map((f) => f.id)).toContain(problem.id);
    expect((await author.json<Answer<{ feedback: unknown }>>('GET', '/content/overview')).body.data.feedback).toEqual({ question: 1, problem: 1 });
  });

  it('tells an average from five people on, by their newest rating, and who wrote nothing is only counted', async () => {
    const { db } = server.database;
    await say(learner, change('rate', { rating: 1 }));
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    await say(learner, change('rate', { rating: 5, message: 'Clear.' }));
    expect(await summary()).toMatchObject({ people: 1, average: null, stars: null });
    await db.run(sql`insert into feedback (id, user_id, content_id, rating, message, created_at)
      select gen_random_uuid(), u.id, ${content}, 4, '', ${server.clock.now} from users u where u.primary_entity_id = ${demoId('entity:home')} and u.id <> ${learnerId} order by u.id limit 4`);
    const rated = await summary();
    expect(rated).toMatchObject({ people: 5, average: 4.2, stars: [0, 0, 0, 4, 1] });
    expect([rated.months.length, rated.months.at(-1)]).toEqual([12, { month: server.clock.now.toISOString().slice(0, 7), people: 5, average: 4.2 }]);
    expect((await list('&kind=rating')).map((f) => [f.rating, f.message])).toEqual([[5, 'Clear.']]);
    expect(await list('&rating=4')).toEqual([]);
    const spec = await learner.json('POST', `/feedback/${content}`, { rating: 3 });
    expect(spec).toMatchObject({ status: 201, body: { data: { message: 'Thank you. Your feedback has been received.' } } });
  });

  it('is read by those who make contents, of their own people alone', async () => {
    expect((await learner.json('GET', '/learner-feedback')).status).toBe(403);
    expect((await answer(randomUUID(), { state: 'answered', message: 'Yes.' }, learner)).status).toBe(403);
    const outsider = await as('admin@brightpath.test');
    // The content is shared with them: questions of their own people are theirs to read, and nobody else's.
    const asked = change('ask', { message: 'Is it the same with us?' });
    expect((await say(outsider, asked)).status).toBe(200);
    const all = (await outsider.json<Answer<FeedbackLine[]>>('GET', '/learner-feedback')).body.data;
    expect(all.map((f) => [f.id, f.content.editable])).toEqual([[asked.id, false]]);
    expect((await list()).map((f) => f.id)).not.toContain(asked.id);
    expect(await summary(outsider)).toMatchObject({ people: 0, average: null, open: { question: 1, problem: 0 } });
    const [some] = (await list()) as [FeedbackLine];
    expect((await answer(some.id, { state: 'answered', message: 'Mine.', rev: some.rev }, outsider)).status).toBe(404);
    expect((await own(outsider)).map((f) => f.id)).toEqual([asked.id]);
  });
});

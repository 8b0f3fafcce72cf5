import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionEvaluation, trainerEvaluation } from '#contract/api/evaluations.ts';
import { ownBookings } from '#contract/api/bookings.ts';
import type { Evaluated, OwnEvaluation, TrainerEvaluation } from '#contract/entities/evaluation.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { evaluationReport, type SessionsEvaluated } from '#contract/reports/training.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const session = demoId('session:moving');
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);
const delegate = (who: string) => demoId(`delegate:moving:${who}`);
const there = ['grace.adeyemi', 'liam.murphy', 'megan.davies'] as const;
const absent = 'daniel.osei';
const dayMs = 86_400_000;
type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]>; meta?: { outcomes: { outcome: string }[] } };

describe('how people found a training session', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = async (who: string): Promise<TestClient> => {
    const client = clients.get(who) ?? server.client();
    if (!clients.has(who)) await client.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
    clients.set(who, client);
    return client;
  };
  const change = (command: string, args: object, more: object = {}) => ({
    ...{ id: randomUUID() as string, version: 1, at: server.clock.now.toISOString(), command, args },
    ...more,
  });
  const said = (args: object, more: object = {}) =>
    change('feedback.evaluate', { course_rating: null, trainer_rating: null, message: '', ...args }, more);
  const send = async (who: string, one: object, place = delegate(who)) =>
    (await as(who)).json<Answer<OwnEvaluation>>('PATCH', `/bookings/own/${place}/evaluation`, { changes: [one] });
  const say = (who: string, args: object, more: object = {}) => send(who, said(args, more));
  const own = async (who: string) =>
    (await (await as(who)).json<Answer<OwnBooking[]>>('GET', '/bookings/own')).body.data.find((b) => b.session_id === session);
  /** The feedback that home asks for. */
  const asked = async (who: string) =>
    (
      await (
        await as(who)
      ).json<Answer<{ openEvaluations: { id: string; course: string; until: string }[] }>>('POST', '/graphql', {
        query: '{ openEvaluations { id course until } }',
      })
    ).body.data.openEvaluations;
  const register = async (changes: object[]) =>
    (await as('trainer')).json<Answer<Register>>('PATCH', `/training-sessions/${session}/register`, { changes });
  const found = async (who = 'admin') => (await as(who)).json<Answer<Evaluated>>('GET', `/training-sessions/${session}/evaluation`);
  const ofTrainer = async (who = 'admin') => (await as(who)).json<Answer<TrainerEvaluation>>('GET', `/trainers/${userOf('trainer')}/evaluation`);
  const reported = async (who = 'admin') =>
    (await (await as(who)).json<Answer<SessionsEvaluated[]>>('POST', '/reports/training-evaluation?per_page=100', { period: 'all_time' })).body.data;
  const ours = async (who = 'admin') =>
    (await reported(who)).find((r) => r.course.name === 'Moving and assisting people' && /Tomasz/.test(r.trainer));

  beforeAll(async () => {
    server = await startTestApp();
    // Of this course only this session.
    const others = sql`(select id from training_sessions where course_id = (select course_id from training_sessions where id = ${session}) and id <> ${session})`;
    await server.database.db.run(
      sql`update training_sessions set cancelled_at = now(), cancelled_by = ${userOf('admin')}, held = false where id in ${others}`,
    );
    // And no other finished one of this trainer.
    await server.database.db.run(
      sql`update training_sessions set trainer_id = ${userOf('gareth.pugh')} where trainer_id = ${userOf('trainer')} and id <> ${session}`,
    );
  });
  afterAll(() => server.close());

  it('is asked of attendees once the register is finished, and of nobody else', async () => {
    expect((await say('grace.adeyemi', { course_rating: 4 })).status).toBe(404);
    expect((await own('grace.adeyemi'))?.evaluation).toBeNull();
    const mark = (who: string, presence: string) =>
      change('register.mark', {
        ...{ delegate_id: delegate(who), presence, arrived: null, left: null, outcome: null, note: '', instead_of: null },
      });
    const marks = [...there.map((who) => mark(who, 'present')), mark(absent, 'absent')];
    const complete = change('register.complete', { marks: marks.map((m) => m.id), note: '', method: 'drawn', drawing: 'M10 10L90 40' });
    expect((await register([...marks, complete])).body.data.completed).not.toBeNull();
    const booking = await own('grace.adeyemi');
    expect(booking?.evaluation).toEqual({ until: new Date(server.clock.now.getTime() + 14 * dayMs).toISOString(), given: null });
    expect((await own(absent))?.evaluation).toBeNull();
    expect(await asked('grace.adeyemi')).toEqual([
      { id: delegate('grace.adeyemi'), course: 'Moving and assisting people', until: booking?.evaluation?.until },
    ]);
    expect(await asked(absent)).toEqual([]);
    expect(await asked('trainer')).toEqual([]);
    expect((await say(absent, { course_rating: 1 })).status).toBe(404);
    // Nobody gives feedback by somebody else's place.
    expect((await send('liam.murphy', said({ course_rating: 1 }), delegate('grace.adeyemi'))).status).toBe(404);
    expect((await found()).body.data).toEqual({ asked: 3, answered: 0, course: null, trainer: null, comments: [] });
  });

  it('needs a rating or words, can be changed, and is taken once; the one written last counts', async () => {
    expect((await say('grace.adeyemi', {})).status).toBe(422);
    expect((await say('grace.adeyemi', { course_rating: 6 })).status).toBe(422);
    const first = said({ course_rating: 2, message: 'Too fast.' });
    expect((await send('grace.adeyemi', first)).body.data).toMatchObject({ id: delegate('grace.adeyemi'), course_rating: 2, trainer_rating: null });
    expect((await send('grace.adeyemi', first)).body.meta?.outcomes).toEqual([{ id: first.id, outcome: 'applied' }]);
    expect(await asked('grace.adeyemi')).toEqual([]);
    const later = new Date(server.clock.now.getTime() + 60_000);
    server.clock.now = later;
    await say('grace.adeyemi', { course_rating: 5, trainer_rating: 4, message: 'Very clear.' });
    // Written before that, and sent after it.
    const late = await say('grace.adeyemi', { course_rating: 1 }, { at: new Date(later.getTime() - 30_000).toISOString() });
    expect([late.status, late.body.meta?.outcomes[0]?.outcome, late.body.data.course_rating]).toEqual([200, 'late', 5]);
    const booking = await own('grace.adeyemi');
    expect(ownBookings.response.safeParse([booking]).error).toBeUndefined();
    expect(booking?.evaluation?.given).toMatchObject({ course_rating: 5, trainer_rating: 4, message: 'Very clear.' });
  });

  it('is read as averages and comments from three answers on, without names, by the trainer and the office', async () => {
    await say('liam.murphy', { course_rating: 4 });
    for (const who of ['admin', 'trainer']) {
      const { body } = await found(who);
      expect(body.data).toEqual({ asked: 3, answered: 2, course: null, trainer: null, comments: [] });
      expect((await ofTrainer(who)).body.data).toMatchObject({ answered: 2, course: null, comments: [], courses: [{ answered: 2, course: null }] });
    }
    expect(await ours()).toMatchObject({ sessions: 1, asked: 3, answered: 2, course_average: null, trainer_average: null });
    await say('megan.davies', { course_rating: 4, message: 'Good pace.' });
    const { data } = (await found()).body;
    // A single rating of the trainer would reveal that person's.
    expect({ ...data, comments: data.comments.toSorted() }).toEqual({
      ...{ asked: 3, answered: 3, course: 4.3, trainer: null, comments: ['Good pace.', 'Very clear.'] },
    });
    expect(sessionEvaluation.response.safeParse(data).error).toBeUndefined();
    const trainers = (await ofTrainer('trainer')).body.data;
    expect(trainers).toMatchObject({
      asked: 3,
      answered: 3,
      course: 4.3,
      trainer: null,
      courses: [{ name: 'Moving and assisting people', course: 4.3 }],
    });
    expect(trainerEvaluation.response.safeParse(trainers).error).toBeUndefined();
    for (const answer of [await found(), await ofTrainer()]) expect(JSON.stringify(answer.body)).not.toMatch(/Grace|Liam|Megan|Adeyemi/);
    const row = await ours();
    expect(evaluationReport.row.safeParse(row).error).toBeUndefined();
    expect(row).toMatchObject({ sessions: 1, asked: 3, answered: 3, course_average: 4.3, trainer_average: null });
    const file = await (await as('admin')).send('POST', '/reports/training-evaluation/file?format=csv', { period: 'all_time' });
    expect(file.body).toMatch(/"Moving and assisting people","Tomasz Zielinski","[^"]+",1,3,3,4\.3,"Too few answers"/);
    expect(file.body).not.toContain('Very clear');
  });

  it('is read by nobody else, and is in no list or log', async () => {
    // Another trainer of the same place, and the office of another organisation.
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${userOf('liam.murphy')}, 128) on conflict do nothing`,
    );
    await server.database.db.run(sql`update users set primary_entity_id = (select primary_entity_id from users where id = ${userOf('trainer')})
      where id = ${userOf('liam.murphy')}`);
    expect((await found('liam.murphy')).status).toBe(403);
    expect((await found('admin@brightpath.test')).status).toBe(404);
    expect((await ofTrainer('admin@brightpath.test')).status).toBe(404);
    expect(await ours('admin@brightpath.test')).toBeUndefined();
    const log = await server.database.db.one<{ n: number }>(sql`select count(*)::int as n from audit_log where after::text like '%Very clear%'`);
    expect(log?.n).toBe(0);
  });

  it('follows the register: who turns out not to have been there does not count', async () => {
    const marked = (await (await as('admin')).json<Answer<Register>>('GET', `/training-sessions/${session}`)).body.data.delegates.find(
      (d) => d.id === delegate('megan.davies'),
    )?.marks[0]?.id;
    await register([
      change('register.mark', {
        ...{ delegate_id: delegate('megan.davies'), presence: 'absent', arrived: null, left: null, outcome: null, note: '', instead_of: marked },
      }),
    ]);
    expect((await found()).body.data).toEqual({ asked: 2, answered: 2, course: null, trainer: null, comments: [] });
  });

  it('can be said for fourteen days; what was written in time counts when it arrives', async () => {
    const written = server.clock.now.toISOString();
    expect((await asked('liam.murphy')).length).toBe(0);
    await server.database.db.run(sql`delete from session_evaluations where user_id = ${userOf('liam.murphy')}`);
    expect((await asked('liam.murphy')).length).toBe(1);
    server.clock.now = new Date(server.clock.now.getTime() + 15 * dayMs);
    clients.clear();
    expect(await asked('liam.murphy')).toEqual([]);
    const late = await say('liam.murphy', { course_rating: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'evaluation_closed']);
    expect((await say('liam.murphy', { course_rating: 5 }, { at: written })).body.data.course_rating).toBe(5);
  });
});

import { randomUUID } from 'node:crypto';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import type { MarkArgs } from '#contract/entities/training-session.ts';
import type { ArgsOf, Command } from '#contract/kinds.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { requiredTopics } from '#contract/rules/completion.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql, word } from '#server/db/sql.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { type InjectServer, startInjectServer } from '#tests/faults/real/inject-server.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { type Matter, mostly, type Most, type Report, type Said, type Settled } from '#tests/faults/two-devices/side.ts';
import { SideThread } from '#tests/faults/two-devices/side-thread.ts';
import { TestClient } from '#tests/support/test-app.ts';

/**
 * Two whole devices, of one person or of two trainers of one register who assess for one certificate, work without a connection, and send in
 * random order. Then each choice that their sync centres offer is taken, and its outcome compared with what its words promise
 * (`src/offline/kinds/promises.ts`): nothing done disappears that no choice named, nothing that agrees is asked, nothing that contradicts
 * is overwritten unasked.
 */
const content = demoId('content:fire-safety');
const course = { id: demoId('course:Fire safety'), title: 'Fire safety' };
const checkInKey = 'what the codes are computed from';
/** The day whose sessions one can check in to for the next half hour, whenever this runs. */
const openDay = () => dayIn(new Date(Date.now() + 30 * 60_000), defaultTimeZone);
/** Histories at the same time: each waits for the database and for its two devices most of the time. */
const abreast = 4;
let server: InjectServer;
let document: ContentDocument;
/** Pairs of devices that no history is using. */
const free: [SideThread, SideThread][] = [];
const kindsAsked = new Map<string, number>();

/** Two marks that cannot both be true. Written apart from the product’s own rule. */
const contradict = (a: MarkArgs, b: MarkArgs): boolean =>
  a.presence !== b.presence ||
  (a.outcome !== null && b.outcome !== null && a.outcome !== b.outcome) ||
  (!!a.arrived && !!b.arrived && a.arrived !== b.arrived);

type Person = { id: string; email: string };
type World = { matter: Matter; people: [Person, Person] };

/** Two trainers, of whom either takes the register and observes, and two people on their list. */
const newWorld = async (most: Most): Promise<World> => {
  const { db } = server.database;
  const newTrainer = () => server.newLearner('trainer@willowbrook.test');
  const [first, second, one, other] = await Promise.all([newTrainer(), newTrainer(), server.newLearner(), server.newLearner()]);
  const [session, now, certificate] = [randomUUID(), randomUUID(), randomUUID()];
  await db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${certificate}, ${one.id}, ${first.id}, now())`);
  await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, grading_method, created_by, created_at)
    select t.id::uuid, u.primary_entity_id, ${course.id}, u.id, t.day::date, t.from_time::time, t.until_time::time, 'Hall', '', '', 'practical', u.id, now() from users u,
      (values (${session}, ${dayIn(new Date(), defaultTimeZone)}, '09:00', '12:00'), (${now}, ${openDay()}, '00:00', '23:59:59')) t (id, day, from_time, until_time) where u.id = ${first.id}`);
  await db.run(sql`update check_in_keys set key = ${checkInKey} where session_id = ${now}`);
  await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
    select gen_random_uuid(), d.session::uuid, d.person::uuid, 'Somebody', ${first.id}, now()
    from (values (${session}, ${one.id}), (${session}, ${other.id}), (${now}, ${first.id}), (${now}, ${second.id})) d (session, person)`);
  return { matter: { content, course, session, now, checkInKey, certificate, observed: one.id, most }, people: [first, second] };
};

/** The same course, completed a year ago on a device that is gone: neither of the two has heard of it. */
const completeLastYear = async ({ id: person, email }: Person): Promise<void> => {
  const id = await attemptIdOf(person, content, 1);
  const at = new Date(Date.now() - 300 * 86_400_000).toISOString();
  const change = (command: Command, args: object) => ({ id: randomUUID(), version: 1, at, command, args });
  const before = new TestClient(server.app);
  await before.signIn(email);
  await before.json('PATCH', `/attempts/${id}`, {
    changes: [
      change('attempt.start', { content_id: content, content_version: document.version }),
      ...requiredTopics(document).map((t) => change('attempt.progress', { topic_id: t.id, state: 'completed', percent: 100, seconds: { there: 1 } })),
    ],
  });
  const { db } = server.database;
  // Passed by the answers that the server has the keys of.
  await db.run(sql`update attempts set state = 'graded', passed = true, percent = 100, completed_at = ${at} where id = ${id}`);
};

/** Two devices that did not know of each other: whose last words contradict must have been asked, and whose agree must not. */
const requireAsked = <T>(first: Said<T>[], second: Said<T>[], contradicts: (a: T, b: T) => boolean): string[] =>
  second.flatMap(({ about, said, isAsked }) => {
    const other = first.find((s) => s.about === about);
    const must = other !== undefined && contradicts(said, other.said);
    if (must && !isAsked) return [`${JSON.stringify(said)} took the place of ${JSON.stringify(other.said)}, and nobody was asked`];
    if (!must && isAsked) return [`${JSON.stringify(said)} and ${JSON.stringify(other?.said)} agree, and somebody was asked`];
    return [];
  });

const tables: Partial<Record<Command, string>> = {
  ...{ 'observation.record': 'observations', 'observation.correct': 'observations', 'observation.sign': 'observation_signatures' },
  ...{ 'register.mark': 'register_marks', 'register.walk_in': 'session_delegates', 'register.sign': 'register_signatures' },
  ...{ 'register.complete': 'register_completions', 'message.send': 'messages', 'feedback.rate': 'feedback', 'feedback.ask': 'feedback' },
  ...{ 'feedback.report': 'feedback', 'submission.add': 'results', 'attempt.submit_quiz': 'quiz_submissions' },
};
/** Everything that the server acknowledged to a device is there, and nothing was set aside that no choice named. */
const compare = async (owner: string, settled: readonly Settled[]): Promise<string[]> => {
  const { db } = server.database;
  const wrong: string[] = [];
  const named = new Map<string, Set<string>>();
  const received = settled.filter((e) => e.outcome !== 'discarded');
  for (const [table, entries] of Map.groupBy(received, (e) => tables[e.command])) {
    if (!table) continue;
    const rows = await db.all<{ id: string }>(sql`select id from ${word(table)} where id = any(${entries.map((e) => e.id)}::uuid[])`);
    named.set(table, new Set(rows.map((r) => r.id)));
  }
  type Kept = Pick<Attempt, 'id' | 'completed_at'>;
  const attempts = await db.all<Kept>(sql`select id, completed_at from attempts where user_id = ${owner}`);
  const progress = await db.all<{ attempt_id: string; topic_id: string; seconds: Record<string, number> }>(
    sql`select p.attempt_id, p.topic_id, p.seconds from topic_progress p join attempts a on a.id = p.attempt_id where a.user_id = ${owner}`,
  );
  const sessions = await db.all<{ attempt_id: string; session_id: string }>(
    sql`select s.attempt_id, s.session_id from scorm_sessions s join attempts a on a.id = s.attempt_id where a.user_id = ${owner}`,
  );
  for (const { id, command, args, at, thing, outcome, isNamed } of settled) {
    if (outcome === 'discarded') {
      // A question that was put to the server again goes on under another id.
      const goesOn = settled.some((e) => e.id !== id && e.command === command && e.at === at && (e.outcome !== 'discarded' || e.isNamed));
      if (!isNamed && !goesOn) wrong.push(`${command} was set aside, and no choice named it`);
      continue;
    }
    const table = tables[command];
    if (table && !named.get(table)?.has(id)) wrong.push(`${command} was acknowledged and is not in ${table}`);
    const attempt = attempts.find((a) => a.id === thing);
    if (command === 'attempt.progress') {
      const { topic_id, seconds } = args as ArgsOf<typeof command>;
      const there = progress.find((p) => p.attempt_id === thing && p.topic_id === topic_id);
      if (!there || Object.entries(seconds).some(([device, n]) => (there.seconds[device] ?? 0) < n))
        wrong.push('a page was acknowledged and is not there');
      if (attempt?.completed_at && Date.parse(attempt.completed_at) < Date.now() - 86_400_000) wrong.push('a page of today is in last year’s try');
    }
    if (command === 'attempt.scorm_commit') {
      const { session_id } = args as ArgsOf<typeof command>;
      if (!sessions.some((s) => s.attempt_id === thing && s.session_id === session_id))
        wrong.push('a package session was acknowledged and is not there');
    }
  }
  return wrong;
};

const once = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const pair = free.pop() ?? [new SideThread(server.line), new SideThread(server.line)];
  const { matter, people } = await newWorld(mostly[Math.floor(random() * mostly.length)] as Most);
  const wrong: string[] = [];
  // Two devices of one person, or one of each trainer.
  const owners = random() < 0.6 ? [people[0], people[0]] : people;
  if (random() < 0.3) await completeLastYear(people[0]);
  for (const [i, side] of pair.entries()) {
    await side.take(seed * 2 + i, matter);
    await side.call('begin', (owners[i] as Person).email);
  }
  const either = () => pair[random() < 0.5 ? 0 : 1] as SideThread;
  // In half of the histories the devices hear nothing until the end.
  const apart = random() < 0.5;
  const steps = 8 + Math.floor(random() * 16);
  for (let i = 0; i < steps; i++) {
    const side = either();
    const dice = random();
    if (apart || dice < 0.75) await side.call('work');
    else if (dice < 0.93) await side.call('send');
    else await side.call('look');
  }
  if (apart) {
    const [first, second] = random() < 0.5 ? pair : (pair.toReversed() as typeof pair);
    for (const side of [first, second]) for (let i = 0; i < 2; i++) await side.call('send');
    const [before, after] = [await first.call('last'), await second.call('last')];
    wrong.push(...requireAsked(before.marks, after.marks, contradict));
    wrong.push(...requireAsked(before.decisions, after.decisions, (a, b) => a !== b));
  }
  // Whoever comes to it next sends and chooses, until nothing waits on either.
  for (let i = 0, done = new Set<SideThread>(); i < 80 && done.size < 2; i++) {
    const side = done.size === 1 ? (pair.find((s) => !done.has(s)) as SideThread) : either();
    if (await side.call('settle')) done.add(side);
  }
  for (const [i, side] of pair.entries()) {
    const report: Report = await side.call('end');
    wrong.push(...report.wrong);
    if (report.left > 0) wrong.push(`${report.left} entries did not leave the device`);
    for (const code of report.asked) kindsAsked.set(code, (kindsAsked.get(code) ?? 0) + 1);
    wrong.push(...(await compare((owners[i] as Person).id, report.settled)));
  }
  free.push(pair);
  return wrong;
};

export const campaign: Campaign = {
  name: 'two-devices',
  runs: { ci: 25, demand: 100_000 },
  abreast,
  prepare: async () => {
    server = await startInjectServer({ postgres: true });
    // Each try draws from a pool.
    const { db } = server.database;
    await db.run(sql`update content_versions set document = jsonb_set(document, '{quizzes,0}',
      (document -> 'quizzes' -> 0) || '{"is_randomized": true, "question_qty": 3, "max_tries": 3}') where content_id = ${content}`);
    const kept = sql`select v.document from contents c join content_versions v on v.content_id = c.id and v.version = c.current_version where c.id = ${content}`;
    ({ document } = (await db.one<{ document: ContentDocument }>(kept)) as { document: ContentDocument });
  },
  once,
  facts: () => `${[...kindsAsked.values()].reduce((a, b) => a + b, 0)} questions: ${[...kindsAsked].map(([code, n]) => `${code} ${n}`).join(', ')}`,
  finish: async () => {
    for (const side of free.flat()) await side.close();
    await server.close();
  },
};

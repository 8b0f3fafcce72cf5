import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errors } from '#contract/errors.ts';
import { type Kind, kinds } from '#contract/kinds.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { explain, sidesOf } from '#src/offline/kinds/explain.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { keepMine, keepTheirs, sendAsNewTry } from '#src/offline/outbox/resolve.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { lineTo } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { change, startTestApp, type TestApp } from '#tests/support/test-app.ts';

/**
 * The guarantees of every kind in contract/kinds.ts: its changes are received, also by a server that was restored from a backup
 * and has forgotten them; and if two people can disagree, the person is asked, and each choice resolves the conflict. A new kind needs a row
 * in `works`, or this does not compile.
 */
const content = demoId('content:fire-safety');
const manager = demoId('user:manager@willowbrook.test');

/** Somebody who assesses and trains, whom they assess, a register with that person on it, and a session of a whole day that they are at. */
const newPlace = () => {
  type Ids = [string, string, string, string, string, string];
  const [me, learner, certificate, session, delegate, now] = Array.from({ length: 6 }, () => randomUUID()) as Ids;
  return { me, email: `${me}@willowbrook.test`, learner: { id: learner, name: 'Somebody New' }, certificate, session, delegate, now };
};
/** The day whose sessions one can check in to for the next half hour, whenever the test runs: that of tomorrow opens an hour before midnight. */
const openDay = () => dayIn(new Date(Date.now() + 30 * 60_000), defaultTimeZone);
const checkInKey = 'what the codes are computed from';
type Place = ReturnType<typeof newPlace>;
const put = async ({ me, email, learner, certificate, session, delegate, now }: Place, { database: { db } }: TestApp) => {
  for (const [id, address, name, like] of [
    [me, email, 'An Assessor', 'trainer@willowbrook.test'],
    [learner.id, `${learner.id}@willowbrook.test`, learner.name, 'learner@willowbrook.test'],
  ] as const)
    await db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, ${name}, ${address}, password_hash, now(), primary_entity_id, role_id, type_id from users where email = ${like}`);
  await db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${certificate}, ${learner.id}, ${me}, now())`);
  await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, grading_method, created_by, created_at)
    select ${session}, primary_entity_id, ${demoId('course:Fire safety')}, id, current_date, '09:00', '12:00', 'Hall', '', '', 'attendance', id, now() from users where id = ${me}`);
  await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
    values (${delegate}, ${session}, ${learner.id}, ${learner.name}, ${me}, now())`);
  await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, grading_method, created_by, created_at)
    select ${now}, primary_entity_id, ${demoId('course:Fire safety')}, id, ${openDay()}::date, '00:00', '23:59:59', 'Hall', '', '', 'attendance', id, now() from users where id = ${me}`);
  await db.run(sql`update check_in_keys set key = ${checkInKey} where session_id = ${now}`);
  await db.run(
    sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at) values (${now}, ${now}, ${me}, 'An Assessor', ${me}, now())`,
  );
};

type Work = {
  /** A person's work of this kind. */
  does(tablet: RealDevice, place: Place): Promise<unknown>;
  /** A conflicting change, made elsewhere before it arrives; null if there can be none. */
  elsewhere: ((server: TestApp, place: Place, tablet: RealDevice) => Promise<unknown>) | null;
};
const certificateOf = ({ certificate, learner }: Place) => ({ id: certificate, user: { name: learner.name } });
const works: Record<Kind, Work> = {
  attempt: {
    does: async (tablet) => {
      const document = await tablet.document(content);
      await tablet.begin(document);
      await tablet.read(content, document.lessons[0]?.topics[0] as { id: string; title: string }, true, 10);
      await tablet.work(content, false);
      await tablet.play(content);
      await tablet.handIn(content, document.quizzes[0] as (typeof document.quizzes)[number], 1);
    },
    elsewhere: async (server, { email }, tablet) => {
      const { version, quizzes } = await tablet.document(content);
      const client = server.client();
      await client.signIn(email);
      const changes = [
        change('attempt.start', { content_id: content, content_version: version }),
        change('attempt.submit_quiz', { quiz_id: quizzes[0]?.id as string, try_no: 1, content_version: version, answers: {} }),
      ];
      expect((await client.json('PATCH', `/attempts/${tablet.attemptId(content)}`, { changes })).status).toBe(200);
    },
  },
  certificate: {
    does: (tablet, place) => tablet.observe(certificateOf(place), true, 0, true),
    elsewhere: async ({ database: { db } }, { certificate }) => {
      const record = {
        ...{ done_at: new Date().toISOString(), method: 'observation', setting: '', seen: 'Not seen', feedback: '' },
        criteria: [{ criterion: '1.1a', outcome: 'not_yet_met', action: null, due: null }],
      };
      const id = randomUUID();
      await db.run(sql`insert into observations (id, certificate_id, kind, record, assessor_id, at, received_at)
        values (${id}, ${certificate}, 'observation', ${JSON.stringify(record)}, ${manager}, now(), now())`);
      await db.run(sql`insert into criterion_decisions (id, certificate_id, criterion, outcome, observation_id, instead_of, decided_by, at, received_at)
        values (${randomUUID()}, ${certificate}, '1.1a', 'not_yet_met', ${id}, null, ${manager}, now(), now())`);
    },
  },
  check_in: { does: (tablet, { now }) => tablet.checkIn(now, checkInKey), elsewhere: null },
  evidence: { does: (tablet, place) => tablet.observe(certificateOf(place), false, 300_000), elsewhere: null },
  feedback: { does: async (tablet) => tablet.say(await tablet.document(content)), elsewhere: null },
  messages: { does: (tablet, { learner }) => tablet.write(learner), elsewhere: null },
  register: {
    does: (tablet, { session }) => tablet.note(session, 0.3),
    elsewhere: ({ database: { db } }, { session, delegate }) =>
      db.run(sql`insert into register_marks (id, session_id, delegate_id, presence, note, by_id, at, received_at, seq)
        values (${randomUUID()}, ${session}, ${delegate}, 'absent', 'Ill', ${manager}, now(), now(), 1)`),
  },
  submission: { does: (tablet) => tablet.submit({ id: demoId('course:Fire safety'), title: 'Fire safety' }, 300_000), elsewhere: null },
};
const names = Object.keys(kinds) as Kind[];
const disagreeing = names.filter((kind) => kinds[kind].refusals.some((code) => errors[code].retry === 'after-review'));

// Two servers and all that can be done in a course take their time on a busy machine.
describe('a queued kind', { timeout: 90_000 }, () => {
  let server: TestApp;
  /** The same, restored from a backup that was made before anybody did anything. */
  let restored: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
    restored = await startTestApp();
  });
  afterAll(() => Promise.all([server.close(), restored.close()]));
  const tabletOf = async ({ email }: Place): Promise<RealDevice> => {
    const tablet = new RealDevice(lineTo(server.app));
    await tablet.open(await tablet.signIn(email));
    return tablet;
  };
  const outcomes = async ({ database: { db } }: TestApp, { me }: Place, ids: readonly string[]): Promise<string[]> =>
    (await db.all<{ outcome: string }>(sql`select outcome from ledger where user_id = ${me} and entry_id = any(${[...ids]}::uuid[])`)).map(
      (row) => row.outcome,
    );

  it.each(names)('%s: is received, and again by a server that was restored and has forgotten it', async (kind) => {
    const place = newPlace();
    for (const one of [server, restored]) await put(place, one);
    const tablet = await tabletOf(place);
    await works[kind].does(tablet, place);
    const entries = await tablet.db.outbox.toArray();
    expect(entries.some((e) => placeOfLane(e.lane).kind === kind)).toBe(true);
    const ids = entries.map((e) => e.id);
    for (const one of [server, restored]) {
      tablet.line = lineTo(one.app);
      tablet.jar.clear();
      await tablet.signIn(place.email);
      await tablet.send();
      expect((await tablet.db.outbox.toArray()).map((e) => e.trouble ?? e.state)).toEqual([]);
      expect(await outcomes(one, place, ids)).toEqual(ids.map(() => 'applied'));
    }
    await tablet.forget();
  });

  it('says which kinds can disagree as the contract does', () => {
    expect(names.filter((kind) => works[kind].elsewhere !== null)).toEqual(disagreeing);
  });
  it.each(disagreeing.flatMap((kind) => [[kind, 'theirs'] as const, [kind, 'mine'] as const]))(
    '%s: asks in words where two disagree, and it ends where the person chooses %s',
    async (kind, choice) => {
      const place = newPlace();
      await put(place, server);
      const tablet = await tabletOf(place);
      await works[kind].does(tablet, place);
      await works[kind].elsewhere?.(server, place, tablet);
      await tablet.send();
      const [asked, ...more] = (await tablet.db.outbox.toArray()).filter((e) => e.state === 'needs-person').map(entryToShow);
      if (!asked) throw new Error('nobody was asked');
      expect(more).toEqual([]);
      expect(kinds[kind].refusals).toContain(asked.trouble?.code);
      expect(explain(asked)).toMatch(/kept|count/);
      expect(sidesOf(asked)).not.toBeNull();
      const again = asked.trouble?.resolution.includes('new_try') ? sendAsNewTry : keepMine;
      await (choice === 'theirs' ? keepTheirs : again)(tablet.db, asked);
      expect((await tablet.db.settled.get(asked.id))?.outcome).toBe('discarded');
      const left = (await tablet.db.outbox.toArray()).map((e) => e.id);
      expect(left).toHaveLength(choice === 'theirs' ? 0 : 1);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(await outcomes(server, place, left)).toEqual(left.map(() => 'applied'));
      await tablet.forget();
    },
  );
});

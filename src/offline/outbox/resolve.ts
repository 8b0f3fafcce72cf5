import Dexie from 'dexie';
import type { ArgsOf } from '#contract/kinds.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { entriesOfThing, placeOfLane } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { delegateBy, registerWith, registerWithout } from '#src/offline/kinds/register/lane.ts';
import { markNow } from '#contract/rules/register.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { attemptTables } from '#src/offline/kinds/attempt/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** What a person can choose for an entry that needs them. Nothing is thrown away: the entry moves to `settled`. */

/** What the entry alone had put on the screen, and the server's copy does not take away. */
const takeBack = async (db: PersonDb, entry: Entry): Promise<void> => {
  if (entry.command === 'attempt.submit_quiz') await db.quizSubmissions.delete(entry.id);
  if (entry.command === 'message.send') await db.messages.delete(entry.id);
  if (entry.command.startsWith('register.')) {
    const register = await db.registers.get(placeOfLane(entry.lane).id);
    if (register) await db.registers.put(registerWithout(register, entry.id));
  }
  if (entry.command.startsWith('observation.') && entry.command !== 'observation.decide') await db.observations.delete(entry.id);
  if (entry.command === 'observation.decide') {
    const { criterion } = entry.args as ArgsOf<'observation.decide'>;
    await db.decisions.delete([placeOfLane(entry.lane).id, criterion]);
  }
};

/**
 * Sets `entry` aside, takes the server's copy, and puts `instead` in its place: what waits behind it was built on it. One
 * transaction. Where nothing takes its place, what depends on it goes with it: a decision on a record that is set aside.
 */
const replace = async (
  db: PersonDb,
  entry: Entry,
  instead: NewEntry | null,
  change: () => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const kind = laneOf(entry.lane);
  const current = entry.trouble?.current ?? null;
  const going = [
    entry,
    ...(instead ? [] : (await entriesOfThing(db, entry.lane)).filter((e) => e.dependsOn.includes(entry.id)).map((e) => ({ ...e }))),
  ];
  const ids = new Set(going.map((e) => e.id));
  await commit(
    db,
    entry.actor,
    [db.settled, ...(kind?.tables(db) ?? [])],
    instead ? [instead] : [],
    async () => {
      const left = (await entriesOfThing(db, entry.lane)).filter((e) => !ids.has(e.id));
      for (const e of going) {
        await db.settled.put({ ...e, settled_at: new Date().toISOString(), outcome: 'discarded' });
        if (!instead) await db.outbox.delete(e.n);
        await takeBack(db, e);
      }
      if (current && kind) await kind.take(db, current, left);
      await change();
    },
    { gone: [...ids] },
  );
};
const again = (entry: Entry, args: unknown): NewEntry => ({
  id: newId(),
  lane: entry.lane,
  command: entry.command,
  args,
  sentence: entry.sentence,
  mergeKey: null,
  at: correctedNow().toISOString(),
  baseRev: entry.baseRev,
  n: entry.n,
});

/** What a choice makes count, and what the server lets count: what is built on the one is then built on the other. */
const choiceOf = (entry: Entry): { mine: string; theirs: string | null } | null => {
  const { current } = entry.trouble ?? {};
  if (entry.command === 'attempt.scorm_resume') {
    const { item_id, session_id } = entry.args as ArgsOf<typeof entry.command>;
    return { mine: session_id, theirs: (current as Attempt | null)?.scorm.find((i) => i.item_id === item_id)?.resume ?? null };
  }
  if (entry.command === 'observation.decide') {
    const { criterion } = entry.args as ArgsOf<typeof entry.command>;
    return { mine: entry.id, theirs: (current as CareCertificate | null)?.decisions.find((d) => d.criterion === criterion)?.id ?? null };
  }
  if (entry.command === 'register.mark') {
    const { delegate_id } = entry.args as ArgsOf<typeof entry.command>;
    const delegate = current && delegateBy(current as Register, delegate_id);
    return { mine: entry.id, theirs: (delegate && markNow(delegate)?.id) ?? null };
  }
  return null;
};
/** Lets what waits in the lane stand on another choice than the one it was made on. None of it has been taken yet. */
const buildOn = async (db: PersonDb, entry: Entry, from: string, to: string | null): Promise<void> => {
  const behind = (await db.outbox.where('lane').equals(entry.lane).toArray()).filter((e) => e.n > entry.n);
  const built = behind.filter((e) => (e.args as { instead_of?: string | null }).instead_of === from);
  await db.outbox.bulkPut(built.map((e) => ({ ...e, args: { ...(e.args as object), instead_of: to } })));
};

/** The name of whoever said something, as the register has it. */
const nameOn = async (db: PersonDb, { actor, lane }: Entry): Promise<string> => {
  const register = await db.registers.get(placeOfLane(lane).id);
  if (register?.trainer.id === actor) return register.trainer.name;
  return register?.delegates.flatMap((d) => d.marks.map((m) => m.by)).find((by) => by.id === actor)?.name ?? '';
};

/** Keeps what the server has. The entry stays in the archive of this device and of the server. */
export const keepTheirs = (db: PersonDb, entry: Entry): Promise<void> => {
  const choice = choiceOf(entry);
  return replace(db, entry, null, async () => (choice ? buildOn(db, entry, choice.mine, choice.theirs) : undefined));
};

/** Makes the same choice again, knowing what the server has: it takes the place of that. */
export const keepMine = (db: PersonDb, entry: Entry): Promise<void> => {
  const { id } = placeOfLane(entry.lane);
  const theirs = choiceOf(entry)?.theirs ?? null;
  const next = again(entry, { ...(entry.args as object), instead_of: theirs });
  return replace(db, entry, next, async () => {
    if (entry.command === 'attempt.scorm_resume') {
      const { item_id, session_id } = entry.args as ArgsOf<typeof entry.command>;
      await db.scormResumes.put({ attempt_id: id, item_id, session_id });
      return;
    }
    if (entry.command === 'register.mark') {
      const register = await db.registers.get(id);
      const by = await nameOn(db, entry);
      if (register) await db.registers.put(registerWith(register, { ...next, actor: entry.actor }, by));
      // What was signed of the mark is said of the one that takes its place: it says the same.
      const signed = (await entriesOfThing(db, entry.lane)).filter((e) => e.dependsOn.includes(entry.id));
      await db.outbox.bulkPut(
        signed.map((e) => ({
          ...e,
          args: e.command === 'register.sign' ? { ...(e.args as object), mark_id: next.id } : e.args,
          dependsOn: e.dependsOn.map((d) => (d === entry.id ? next.id : d)),
        })),
      );
      // What was noted meanwhile was noted in the sight of theirs.
      await buildOn(db, entry, entry.id, next.id);
      if (theirs !== null) await buildOn(db, entry, theirs, next.id);
      return;
    }
    const { criterion, outcome, observation_id } = entry.args as ArgsOf<'observation.decide'>;
    const record = await db.observations.get(observation_id);
    if (record) await db.decisions.put({ id: next.id, certificate_id: id, criterion, outcome, observation_id, by: record.assessor, at: next.at });
    await buildOn(db, entry, entry.id, next.id);
  });
};

/** Hands the same answers in again as the next try. */
export const sendAsNewTry = (db: PersonDb, entry: Entry): Promise<void> => {
  const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
  const current = entry.trouble?.current as Attempt | null | undefined;
  const try_no = (current?.submissions ?? []).filter((s) => s.quiz_id === args.quiz_id).length + 1;
  const next = again(entry, { ...args, try_no });
  return replace(db, entry, next, () =>
    db.quizSubmissions.put({
      id: next.id,
      attempt_id: placeOfLane(entry.lane).id,
      quiz_id: args.quiz_id,
      try_no,
      submitted_at: next.at,
      graded: null,
    }),
  );
};

/** Sets aside everything that waits for an attempt which could not be started. It stays in the archive of this device. */
export const setAsideAttempt = async (db: PersonDb, entry: Entry): Promise<void> => {
  const attemptId = placeOfLane(entry.lane).id;
  const gone = (await entriesOfThing(db, entry.lane)).map((e) => e.id);
  await commit(
    db,
    entry.actor,
    [db.settled, ...attemptTables(db)],
    [],
    async () => {
      const waiting = await entriesOfThing(db, entry.lane);
      await db.settled.bulkPut(waiting.map((e) => ({ ...e, settled_at: new Date().toISOString(), outcome: 'discarded' as const })));
      await db.outbox.bulkDelete(waiting.map((e) => e.n));
      await db.attempts.delete(attemptId);
      for (const table of [db.topicProgress, db.quizAnswers, db.quizSubmissions, db.scormSessions])
        await table.where('attempt_id').equals(attemptId).delete();
      for (const table of [db.scormResumes, db.h5pStates])
        await table.where('[attempt_id+item_id]').between([attemptId, Dexie.minKey], [attemptId, Dexie.maxKey]).delete();
    },
    { gone },
  );
};

/** Sends the same entry again, with the same id. */
export const tryAgain = async (db: PersonDb, entry: Entry): Promise<void> => {
  // What it failed at before is counted anew.
  const { failing: _, ...fresh } = entry;
  await commit(db, entry.actor, [], [], () => db.outbox.put({ ...fresh, state: 'waiting', nextAt: 0, trouble: null }));
};

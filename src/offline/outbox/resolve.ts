import { correctedNow } from '#src/offline/clock.ts';
import type { Between } from '#src/offline/kinds/choices.ts';
import { entriesOfThing, placeOfLane } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { choicesOf } from '#src/offline/kinds/told.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** What a person can choose for an entry that needs them. Nothing is thrown away: the entry moves to `settled`. */

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
        await choicesOf(e.lane)?.takeBack(db, e);
      }
      if (current && kind) await kind.take(db, current, left);
      await change();
      if (instead) await dependOn(db, entry, instead.id);
    },
    { gone: [...ids] },
  );
};
/** Lets what depends on the entry depend on the one in its place. */
const dependOn = async (db: PersonDb, { id, lane }: Entry, next: string): Promise<void> => {
  const behind = (await entriesOfThing(db, lane)).filter((e) => e.dependsOn.includes(id));
  await db.outbox.bulkPut(behind.map((e) => ({ ...e, dependsOn: e.dependsOn.map((d) => (d === id ? next : d)) })));
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

const between = (entry: Entry): Between | null => choicesOf(entry.lane)?.between?.(entry) ?? null;
/** Lets what waits in the lane stand on another choice than the one it was made on. None of it has been taken yet. */
const buildOn = async (db: PersonDb, entry: Entry, from: string, to: string | null): Promise<void> => {
  const behind = (await db.outbox.where('lane').equals(entry.lane).toArray()).filter((e) => e.n > entry.n);
  const built = behind.filter((e) => (e.args as { instead_of?: string | null }).instead_of === from);
  await db.outbox.bulkPut(built.map((e) => ({ ...e, args: { ...(e.args as object), instead_of: to } })));
};

/** Keeps what the server has. The entry stays in the archive of this device and of the server. */
export const keepTheirs = (db: PersonDb, entry: Entry): Promise<void> => {
  const choice = between(entry);
  return replace(db, entry, null, async () => (choice ? buildOn(db, entry, choice.mine, choice.theirs) : undefined));
};

/** Makes the same choice again, knowing what the server has: it takes the place of that. */
export const keepMine = (db: PersonDb, entry: Entry): Promise<void> => {
  const choice = between(entry);
  const next = again(entry, { ...(entry.args as object), instead_of: choice?.theirs ?? null });
  return replace(db, entry, next, async () => {
    const choices = choicesOf(entry.lane);
    await choices?.choose?.(db, entry, next);
    if (choices?.saidOf) await db.outbox.bulkPut(choices.saidOf(await entriesOfThing(db, entry.lane), entry, next));
    const now = between({ ...entry, id: next.id, args: next.args });
    if (!choice || !now) return;
    // What was done meanwhile was done in the sight of either.
    for (const before of [choice.mine, choice.theirs]) if (before !== null && before !== now.mine) await buildOn(db, entry, before, now.mine);
  });
};

/** Hands the same in again as the next try. */
export const sendAsNewTry = (db: PersonDb, entry: Entry): Promise<void> => {
  const choices = choicesOf(entry.lane);
  const next = again(entry, choices?.anew?.(entry) ?? entry.args);
  return replace(db, entry, next, async () => choices?.showAnew?.(db, entry, next));
};

/** Sets aside what cannot be received: with it, where the thing itself was begun here and never will be, all that waits for it. */
export const setAside = async (db: PersonDb, entry: Entry): Promise<void> => {
  const { forget } = choicesOf(entry.lane) ?? {};
  const { code, resolution = [] } = entry.trouble ?? {};
  if (!forget || !(code === 'not_yours' || resolution.includes('start_prerequisite'))) return keepTheirs(db, entry);
  const gone = (await entriesOfThing(db, entry.lane)).map((e) => e.id);
  await commit(
    db,
    entry.actor,
    [db.settled, ...(laneOf(entry.lane)?.tables(db) ?? [])],
    [],
    async () => {
      const waiting = await entriesOfThing(db, entry.lane);
      await db.settled.bulkPut(waiting.map((e) => ({ ...e, settled_at: new Date().toISOString(), outcome: 'discarded' as const })));
      await db.outbox.bulkDelete(waiting.map((e) => e.n));
      await forget(db, placeOfLane(entry.lane).id);
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

import { correctedNow } from '#src/offline/clock.ts';
import type { Between } from '#src/offline/kinds/choices.ts';
import { entriesOfThing, placeOfLane } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { choicesOf } from '#src/offline/kinds/registry.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A person's choices for an entry that needs them. Nothing is discarded: the entry moves to `settled`. */

const between = (entry: Entry): Between | null => choicesOf(entry.lane)?.between?.(entry) ?? null;
/** Whether the person is asked which of two choices counts, their own or the server's. */
const isAsked = (entry: Entry): boolean => (entry.trouble?.resolution.includes('keep_mine') ?? false) && between(entry) !== null;
const insteadOf = (entry: Entry): unknown => (entry.args as { instead_of?: string | null } | null)?.instead_of;

/** Whether the thing itself was created here and can never be received, so that nothing else of it can. */
const takesAll = (entry: Entry): boolean => {
  const { forget, begins } = choicesOf(entry.lane) ?? {};
  const { code, resolution = [] } = entry.trouble ?? {};
  return forget !== undefined && (code === 'not_yours' || resolution.includes('start_prerequisite') || begins?.(entry) === true);
};

/**
 * The waiting entries that go with `entry` when it is set aside, all the way down: what has no meaning without it, such as the signature of
 * a mark; and if the person lets the server's choice count, what they chose on the same matter after it. `all`: the whole outbox.
 */
export const goingWith = (entry: Entry, all: readonly Entry[]): Entry[] => {
  const gone = new Set([entry.id]);
  const asked = isAsked(entry);
  const whole = takesAll(entry);
  const goes = (e: Entry) =>
    (e.dependsOn.some((id) => gone.has(id)) && !choicesOf(e.lane)?.onlyFollows?.(e)) ||
    (asked && e.command === entry.command && ((e.lane === entry.lane && e.n > entry.n) || gone.has(String(insteadOf(e))))) ||
    (whole && placeOfLane(e.lane).id === placeOfLane(entry.lane).id);
  const going: Entry[] = [];
  for (let before = -1; before !== going.length; ) {
    before = going.length;
    for (const e of all)
      if (!gone.has(e.id) && placeOfLane(e.lane).kind === placeOfLane(entry.lane).kind && goes(e)) {
        gone.add(e.id);
        going.push(e);
      }
  }
  return going.sort((x, y) => x.n - y.n);
};

/**
 * Sets `entry` aside, stores the server's copy and puts `instead` in its place, in one transaction. Entries behind it are based
 * on `instead`; without it, everything that rests on `entry` is set aside too.
 */
const replace = async (
  db: PersonDb,
  entry: Entry,
  instead: NewEntry | null,
  change: (gone: ReadonlySet<string>) => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const kind = laneOf(entry.lane);
  const current = entry.trouble?.current ?? null;
  let gone = new Set([entry.id]);
  const removedIds: string[] = [];
  await commit(
    db,
    entry.actor,
    [db.settled, ...(kind?.tables(db) ?? [])],
    instead ? [instead] : [],
    async () => {
      const waiting = (await entriesOfThing(db, entry.lane)).map((e) => ({ ...e }));
      const going = [entry, ...(instead ? [] : goingWith(entry, waiting))];
      gone = new Set(going.map((e) => e.id));
      removedIds.splice(0, removedIds.length, ...gone);
      const left = waiting.filter((e) => !gone.has(e.id));
      for (const e of going) {
        await db.settled.put({ ...e, settled_at: new Date().toISOString(), outcome: 'discarded' });
        if (!instead) await db.outbox.delete(e.n);
        await choicesOf(e.lane)?.takeBack(db, e);
      }
      if (current && kind) await kind.take(db, current, left);
      await change(gone);
      if (instead) await dependOn(db, entry, instead.id);
    },
    { gone: removedIds },
  );
};
/** Moves dependencies from the entry to its replacement. */
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

/** Moves waiting entries of the lane from one choice to another. None has been received yet. */
const buildOn = async (db: PersonDb, entry: Entry, from: string, to: string | null): Promise<void> => {
  const behind = (await db.outbox.where('lane').equals(entry.lane).toArray()).filter((e) => e.n > entry.n);
  const built = behind.filter((e) => (e.args as { instead_of?: string | null }).instead_of === from);
  await db.outbox.bulkPut(built.map((e) => ({ ...e, args: { ...(e.args as object), instead_of: to } })));
};

/** Changes waiting entries that name what was set aside, or replaced by `next`. */
const rename = async (db: PersonDb, entry: Entry, gone: ReadonlySet<string>, next: string | null): Promise<unknown> => {
  const { saidOf } = choicesOf(entry.lane) ?? {};
  return saidOf && db.outbox.bulkPut(saidOf(await entriesOfThing(db, entry.lane), gone, next));
};

/**
 * Keeps the server's version, also instead of what was chosen on this device after the entry. The entries stay in the archives of device
 * and server.
 */
export const keepTheirs = (db: PersonDb, entry: Entry): Promise<void> => {
  const choice = between(entry);
  return replace(db, entry, null, async (gone) => {
    await rename(db, entry, gone, choice?.theirs ?? null);
    // A refused one without another side replaced nothing: what came after it replaces what it would have replaced.
    if (choice && !isAsked(entry)) await buildOn(db, entry, choice.mine, choice.theirs ?? (insteadOf(entry) as string | null | undefined) ?? null);
  });
};

/** Repeats the same choice on top of the server's version, which it replaces. */
export const keepMine = (db: PersonDb, entry: Entry): Promise<void> => {
  const choice = between(entry);
  const next = again(entry, { ...(entry.args as object), instead_of: choice?.theirs ?? null });
  return replace(db, entry, next, async () => {
    const choices = choicesOf(entry.lane);
    await choices?.choose?.(db, entry, next);
    await rename(db, entry, new Set([entry.id]), next.id);
    const now = between({ ...entry, id: next.id, args: next.args });
    if (!choice || !now) return;
    // Later entries were made in view of either choice.
    for (const before of [choice.mine, choice.theirs]) if (before !== null && before !== now.mine) await buildOn(db, entry, before, now.mine);
  });
};

/**
 * Puts a question to the server again, and not to the person, where what they chose here last says the same as the other side by now: nothing is left
 * to decide. The server takes both as it would have, had they come together. `lane`: of the thing to look at; without it, everything that waits.
 */
export const askAgainWhereAgreed = async (db: PersonDb, lane?: string): Promise<void> => {
  const all = lane === undefined ? await db.outbox.orderBy('n').toArray() : await entriesOfThing(db, lane);
  for (const entry of all) {
    if (entry.state !== 'needs-person' || !isAsked(entry)) continue;
    const later = goingWith(entry, all).filter((e) => e.command === entry.command);
    if (choicesOf(entry.lane)?.agrees?.(entry, [entry, ...later])) await askAgain(db, entry, later);
  }
};
const askAgain = (db: PersonDb, entry: Entry, later: readonly Entry[]): Promise<void> => {
  // Sent together with what was chosen after it, and not before that can be sent.
  const dependsOn = later.flatMap((e) => e.dependsOn).filter((id) => id !== entry.id && later.every((e) => e.id !== id));
  const next = { ...again(entry, entry.args), at: entry.at, dependsOn };
  const choice = between(entry);
  return replace(db, entry, next, async () => {
    await rename(db, entry, new Set([entry.id]), next.id);
    for (const before of [entry.id, choice?.theirs ?? null]) if (before !== null) await buildOn(db, entry, before, next.id);
    const current = entry.trouble?.current;
    if (current) await laneOf(entry.lane)?.take(db, current, await entriesOfThing(db, entry.lane));
  });
};

/** Submits the same work as a new try. */
export const sendAsNewTry = (db: PersonDb, entry: Entry): Promise<void> => {
  const choices = choicesOf(entry.lane);
  const next = again(entry, choices?.newTryArgs?.(entry) ?? entry.args);
  return replace(db, entry, next, async () => choices?.showNewTry?.(db, entry, next));
};

/**
 * Sets aside an entry that cannot be received. If the thing itself was created here and can never be received, everything that
 * waits for it is set aside too.
 */
export const setAside = async (db: PersonDb, entry: Entry): Promise<void> => {
  const { forget } = choicesOf(entry.lane) ?? {};
  if (!forget || !takesAll(entry)) return keepTheirs(db, entry);
  const removedIds = (await entriesOfThing(db, entry.lane)).map((e) => e.id);
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
    { gone: removedIds },
  );
};

/** Sends the same entry again, with the same id. */
export const tryAgain = async (db: PersonDb, entry: Entry): Promise<void> => {
  // Failures are counted from zero.
  const { failing: _, ...fresh } = entry;
  await commit(db, entry.actor, [], [], () => db.outbox.put({ ...fresh, state: 'waiting', nextAt: 0, trouble: null }));
};

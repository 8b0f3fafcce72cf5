import { protocol } from '#contract/protocol.ts';
import { journalOf } from '#src/offline/journal/journal.ts';
import { entriesOfThing } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { dataKeyOf, Locked } from '#src/offline/keys/unlocked.ts';
import { chooseSendable, nextSendableAt, othersCouldGo } from '#src/offline/outbox/choose-sendable.ts';
import { renewChoices } from '#src/offline/outbox/renew-choices.ts';
import { tellAsked } from '#src/offline/outbox/commit.ts';
import type { Entry, Store } from '#src/offline/ports.ts';
import type { PersonDb, SettledRow } from '#src/offline/store/person-db.ts';
import { storedRow } from '#src/offline/store/sealed-rows.ts';

const day = 86_400_000;
const clearEveryMs = 3_600_000;
const manyIds = 40;

/** A row without its clear fields is not an entry: it is set aside, and holds its lane if it has one. */
const isWhole = (e: Partial<Entry>) => typeof e.lane === 'string' && Array.isArray(e.dependsOn);
const wholeOrParked = (e: Entry): Entry => (isWhole(e) ? e : { ...(storedRow(e) as unknown as Entry), dependsOn: [], state: 'needs-person' });

/**
 * The outbox in a person's database. Clear fields (state, tries, times) are changed without decrypting, so draining a queue
 * decrypts each entry once, to send it.
 */
export const dexieStore = (db: PersonDb): Store => {
  const putStored = (rows: object[]) => db.table('outbox').bulkPut(rows);
  /** Changes clear fields of entries and keeps the encrypted part. */
  const change = async (entries: readonly Entry[], fields: (e: Entry) => Partial<Entry>) => {
    if (entries.length > 0) await putStored(entries.map((e) => ({ ...storedRow(e), ...fields(e) })));
  };
  /** A single scan is faster than many lookups. */
  const byIds = async (ids: readonly string[]): Promise<Entry[]> => {
    if (ids.length <= manyIds)
      return db.outbox
        .where('id')
        .anyOf([...ids])
        .toArray();
    const idSet = new Set(ids);
    return (await db.outbox.toArray()).filter((e) => idSet.has(e.id));
  };
  /** When the archive was last cleared; this is not done with every answer. */
  let cleared = 0;
  return {
    owner: db.personId,
    noteFailing: (ids, now) =>
      db.transaction('rw', db.outbox, async () => {
        const failing = (e: Entry) => ({ since: Math.min(e.failing?.since ?? now, now), times: (e.failing?.times ?? 0) + 1 });
        const entries = (await byIds(ids)).sort((a, b) => a.n - b.n);
        await change(entries, (e) => ({ failing: failing(e) }));
        return entries.map((e) => ({ ...(storedRow(e) as unknown as Entry), failing: failing(e) }));
      }),
    othersPass: async (lane, since, now) => {
      const received = (await db.kv.get('last-received-at'))?.value;
      if (typeof received === 'string' && Date.parse(received) > since) return true;
      return !othersCouldGo(await db.outbox.orderBy('n').toArray(), lane, now);
    },
    sendable: async (now) => {
      const entries = await db.outbox.orderBy('n').toArray();
      // Sending never starts for a locked person.
      if (entries.length > 0 && !dataKeyOf(db.personId)) throw new Locked();
      const lanes = chooseSendable(entries.map(wholeOrParked), now);
      const torn = entries.filter((e) => !isWhole(e) && e.state !== 'needs-person');
      if (torn.length > 0) await db.transaction('rw', db.outbox, () => change(torn, () => ({ state: 'needs-person' })));
      return lanes;
    },
    markSending: (ids) =>
      db.transaction('rw', db.outbox, async () => {
        const all = (await byIds(ids)).sort((a, b) => a.n - b.n);
        const stopped = new Set<string>();
        const entries = all.filter((e) => {
          if (e.state === 'needs-person') stopped.add(e.lane);
          return !stopped.has(e.lane);
        });
        await change(entries, (e) => ({ state: 'sending', tries: e.tries + 1 }));
        return entries;
      }),
    settle: async (lane, outcomes, current, at) => {
      const kind = laneOf(lane);
      const needless: Entry[] = [];
      const done = new Map(outcomes.filter((o) => o.outcome === 'applied' || o.outcome === 'late').map((o) => [o.id, o.outcome]));
      await db.transaction('rw', [db.outbox, db.settled, db.kv, ...(kind?.tables(db) ?? [])], async () => {
        const ofThing = await entriesOfThing(db, lane);
        const settled = ofThing.filter((e) => done.has(e.id));
        await db.settled.bulkPut(settled.map((e) => ({ ...storedRow(e), settled_at: at, outcome: done.get(e.id) }) as unknown as SettledRow));
        await db.outbox.bulkDelete(settled.map((e) => e.n));
        if (current && kind) {
          const left = ofThing.filter((e) => !done.has(e.id));
          await kind.take(db, current, left);
          await renewChoices(db, left, current);
          needless.push(...(kind.needless?.(current, left) ?? []));
          await db.settled.bulkPut(needless.map((e) => ({ ...storedRow(e), settled_at: at, outcome: 'discarded' }) as unknown as SettledRow));
          await db.outbox.bulkDelete(needless.map((e) => e.n));
          // The next entries are based on what the server has just accepted.
          if ('rev' in current)
            await change(
              left.filter((e) => e.baseRev !== null),
              () => ({ baseRev: current.rev }),
            );
        }
        if (done.size > 0) await db.kv.put({ key: 'last-received-at', value: at });
        if (Math.abs(Date.parse(at) - cleared) < clearEveryMs) return;
        cleared = Date.parse(at);
        await db.settled
          .where('settled_at')
          .below(new Date(cleared - protocol.settledKeptDays * day).toISOString())
          .delete();
        await db.settled
          .where('settled_at')
          .below(new Date(cleared - protocol.settledFilesKeptDays * day).toISOString())
          .filter((e) => laneOf(e.lane)?.heavy === true)
          .delete();
      });
      const removedIds = [...done.keys(), ...needless.map((e) => e.id)];
      if (removedIds.length > 0) void journalOf(db.personId).append({ kind: 'gone', ids: removedIds });
      // The newer copy may agree with what is asked.
      if (current) await tellAsked(db, lane);
    },
    park: async (id, trouble) => {
      // The bytes of an unreadable entry are kept; only its state changes.
      if (trouble.code === 'unreadable') {
        await db.transaction('rw', db.outbox, async () => change(await byIds([id]), () => ({ state: 'needs-person' })));
        return;
      }
      const [refused] = await byIds([id]);
      const kind = refused && isWhole(refused) ? laneOf(refused.lane) : undefined;
      const overtaken = await db.transaction('rw', [db.outbox, db.settled, ...(kind?.tables(db) ?? [])], async () => {
        if (refused && (await kind?.overtaken?.(db, refused))) {
          await db.settled.put({ ...storedRow(refused), settled_at: trouble.at, outcome: 'discarded' } as unknown as SettledRow);
          await db.outbox.delete(refused.n);
          return true;
        }
        const moved = refused && (await kind?.elsewhere?.(db, refused, trouble));
        if (moved) {
          await db.outbox.bulkPut(moved);
          return false;
        }
        await db.outbox.where('id').equals(id).modify({ state: 'needs-person', trouble });
        return false;
      });
      if (overtaken) void journalOf(db.personId).append({ kind: 'gone', ids: [id] });
      else if (refused) await tellAsked(db, refused.lane);
    },
    defer: (ids, nextAt) =>
      db.transaction('rw', db.outbox, async () => {
        await change(
          (await byIds(ids)).filter((e) => e.state !== 'needs-person'),
          () => ({ state: 'waiting', nextAt }),
        );
      }),
    wake: () =>
      db.transaction('rw', db.outbox, async () => {
        await change(
          (await db.outbox.toArray()).filter((e) => e.state !== 'needs-person' && e.nextAt > 0),
          () => ({ nextAt: 0 }),
        );
      }),
    nextAt: async (now) => nextSendableAt((await db.outbox.orderBy('n').toArray()).map(wholeOrParked), now),
  };
};

import { protocol } from '#contract/protocol.ts';
import { journalOf } from '#src/offline/journal/journal.ts';
import type { Entry, Store } from '#src/offline/ports.ts';
import { isReadable } from '#src/offline/outbox/read-entry.ts';
import { storedRow } from '#src/offline/store/sealed-rows.ts';
import { attemptTables, takeServerCopy } from '#src/offline/store/attempt-rows.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

const day = 86_400_000;

/** The outbox in a person's database. */
export const dexieStore = (db: PersonDb): Store => ({
  sendable: async (now) => {
    const entries = await db.outbox.orderBy('n').toArray();
    const lanes = new Map<string, Entry[]>();
    const stopped = new Set<string>();
    const unsent = new Set(entries.map((e) => e.id));
    for (const entry of entries) {
      if (!isReadable(entry)) {
        // Its bytes stay as they are; only its state, which lies in the clear, says that it needs somebody.
        const stored = storedRow(entry);
        if (stored.state !== 'needs-person')
          await db.table('outbox').put(stored.sealed ? { ...stored, state: 'needs-person' } : { ...(entry as Entry), state: 'needs-person' });
        stopped.add(String(stored.lane));
        continue;
      }
      if (stopped.has(entry.lane)) continue;
      const own = lanes.get(entry.lane) ?? [];
      const blocked = entry.dependsOn.some((id) => unsent.has(id) && !own.some((o) => o.id === id));
      if (entry.state === 'needs-person' || entry.nextAt > now || blocked) {
        stopped.add(entry.lane);
        continue;
      }
      lanes.set(entry.lane, [...own, entry]);
    }
    return lanes;
  },
  markSending: async (ids) => {
    await db.outbox
      .where('id')
      .anyOf([...ids])
      .modify((e) => {
        e.state = 'sending';
        e.tries += 1;
      });
  },
  settle: async (lane, outcomes, attempt, at) => {
    await db.transaction('rw', [db.outbox, db.settled, db.kv, ...attemptTables(db)], async () => {
      const done = new Map(outcomes.filter((o) => o.outcome === 'applied' || o.outcome === 'late').map((o) => [o.id, o.outcome]));
      const inLane = await db.outbox.where('lane').equals(lane).toArray();
      const settled = inLane.filter((e) => done.has(e.id));
      await db.settled.bulkPut(settled.map((e) => ({ ...e, settled_at: at, outcome: done.get(e.id) as 'applied' | 'late' })));
      await db.outbox.bulkDelete(settled.map((e) => e.n));
      if (attempt) {
        const left = inLane.filter((e) => !done.has(e.id));
        const waiting = new Set(
          left
            .filter((e) => e.command === 'attempt.answer')
            .map((e) => {
              const a = e.args as { quiz_id: string; try_no: number; question_id: string };
              return `${a.quiz_id}:${a.try_no}:${a.question_id}`;
            }),
        );
        await takeServerCopy(db, attempt, waiting);
        // What comes next in this lane was built on what the server has just accepted.
        const rebased = left.filter((e) => e.baseRev !== null);
        if (rebased.length > 0) await db.outbox.bulkPut(rebased.map((e) => ({ ...e, baseRev: attempt.rev })));
      }
      if (done.size > 0) await db.kv.put({ key: 'last-received-at', value: at });
      await db.settled
        .where('settled_at')
        .below(new Date(Date.parse(at) - protocol.settledKeptDays * day).toISOString())
        .delete();
    });
    const gone = outcomes.filter((o) => o.outcome === 'applied' || o.outcome === 'late').map((o) => o.id);
    if (gone.length > 0) void journalOf(db.personId).append({ kind: 'gone', ids: gone });
  },
  park: async (id, trouble) => {
    await db.outbox.where('id').equals(id).modify({ state: 'needs-person', trouble });
  },
  defer: async (ids, nextAt) => {
    if (ids.length === 0) return;
    await db.outbox
      .where('id')
      .anyOf([...ids])
      .modify((e) => {
        if (e.state === 'needs-person') return;
        e.state = 'waiting';
        e.nextAt = nextAt;
      });
  },
  wake: async () => {
    await db.outbox.filter((e) => e.state !== 'needs-person' && e.nextAt > 0).modify({ nextAt: 0 });
  },
  nextAt: async () => {
    const waiting = (await db.outbox.toArray()).filter((e) => e.state !== 'needs-person');
    return waiting.length === 0 ? null : Math.min(...waiting.map((e) => e.nextAt));
  },
});

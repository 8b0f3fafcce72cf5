import type { ContentDocument } from '#contract/entities/content.ts';
import { request } from '#src/api/transport.ts';
import { recordProgress, startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { replayFor } from '#src/offline/engine.ts';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { checkJournal, incidentsOf, openStore } from '#src/offline/store/open-store.ts';
import Dexie from 'dexie';
import { closePersonDb, personDb, personDbName, storedOutbox } from '#src/offline/store/person-db.ts';

/** The app's offline core in its own page, for campaigns that kill browsers. */
keepFileJournals();
const content = '00000000-0000-4000-a000-0000000000c1';
const bareDocument = {
  id: content,
  version: 1,
  title: 'A course',
  course: { id: content, title: 'A course', short_title: 'Course' },
} as unknown as ContentDocument;
const topic = (i: number) => ({ id: `00000000-0000-4000-a000-${String(i).padStart(12, '0')}`, title: `Page ${i}` });

const harness = {
  request,
  open: async (person: string) => {
    const db = personDb(person);
    const state = await openStore(db);
    const found = state === 'ok' ? await checkJournal(db) : 0;
    return { state, found, incidents: await incidentsOf(person) };
  },
  begin: (person: string, document?: ContentDocument) => startAttempt(personDb(person), { uuid: person }, document ?? bareDocument),
  /** Writes continuously and logs each saved item until the page ends. */
  work: async (person: string, attempt: string, from: number) => {
    for (let i = from; ; i++) {
      try {
        await recordProgress(personDb(person), { id: attempt, user_id: person, rev: 0 }, topic(i), 'completed', 100, 1);
        console.info(`saved ${topic(i).id}`);
      } catch (error) {
        // It was not reported as saved: a person would press again.
        console.info(`not saved: ${error}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  },
  write: async (person: string, attempt: string, topics: { id: string; title: string }[]) => {
    for (const t of topics) await recordProgress(personDb(person), { id: attempt, user_id: person, rev: 0 }, t, 'completed', 100, 1);
  },
  /** Creates many entries, as after a long week offline. */
  fill: async (person: string, attempt: string, count: number) => {
    const db = personDb(person);
    const writes = Array.from({ length: count }, (_, i) =>
      recordProgress(db, { id: attempt, user_id: person, rev: 0 }, topic(i), 'completed', 100, 1),
    );
    await Promise.all(writes);
  },
  /** What a version with another schema does at its start: adds an index and rewrites every entry. */
  upgrade: async (person: string) => {
    closePersonDb(person);
    const next = new Dexie(personDbName(person), { chromeTransactionDurability: 'strict' });
    next
      .version(2)
      .stores({ outbox: '++n, &id, lane, at' })
      .upgrade((tx) =>
        tx
          .table('outbox')
          .toCollection()
          .modify((row: { upgraded?: boolean }) => {
            row.upgraded = true;
          }),
      );
    await next.open();
  },
  count: async (person: string) => (await storedOutbox(person)).length,
  send: (person: string) => replayFor(person, () => undefined).wake(),
  /** What is on disk: topics with an entry, and topics with a row. */
  kept: async (person: string) => {
    const db = personDb(person);
    const topicOf = (e: { args: unknown }) => (e.args as { topic_id?: string }).topic_id;
    const entries = [...(await db.outbox.toArray()), ...(await db.settled.toArray())].map(topicOf).filter((t): t is string => t !== undefined);
    return { entries, rows: (await db.topicProgress.toArray()).map((r) => r.topic_id), waiting: await db.outbox.count() };
  },
};
export type Harness = typeof harness;
(window as unknown as { harness: Harness }).harness = harness;

import Dexie from 'dexie';
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContentDocument } from '#contract/entities/content.ts';
import { recordProgress, saveAnswer, startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { commitScorm } from '#src/offline/kinds/attempt/package-commands.ts';
import { forgetHeld } from '#src/offline/journal/held-lines.ts';
import { stillOpen } from '#src/offline/journal/journal-format.ts';
import { journalOf, none, setJournal } from '#src/offline/journal/journal.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import { readKeyRecord } from '#src/offline/keys/key-record.ts';
import { keepRecovery, lock, lockOf, openKey, removeLock, setPin, unlockRecovered, unlockWithPin } from '#src/offline/keys/keyring.ts';
import { dropDataKey, Locked } from '#src/offline/keys/unlocked.ts';
import { dexieStore } from '#src/offline/outbox/dexie-store.ts';
import { resend } from '#src/offline/outbox/resend.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import { neverCame } from '#src/offline/store/never-came.ts';
import { checkJournal, emptiedStore, heldEntries, incidentsOf, openStore, tryWritingAgain } from '#src/offline/store/open-store.ts';
import { noteUnsent } from '#src/offline/store/unsent-mark.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { closePersonDb, draftFilePrefix, draftPrefix, type PersonDb, personDb, personDbName, unsentOf } from '#src/offline/store/person-db.ts';
import { MemoryJournal } from '#tests/support/memory-journal.ts';

const content = '00000000-0000-4000-a000-0000000000c1';
const topic = { id: '00000000-0000-4000-a000-0000000000a1', title: 'Washing hands' };
const document = {
  id: content,
  version: 1,
  title: 'Infection control',
  course: { id: content, title: 'Infection control', short_title: 'IC' },
} as unknown as ContentDocument;

describe('a person’s store', () => {
  let person: { uuid: string };
  let db: PersonDb;
  let journals: Map<string, MemoryJournal>;
  const disk = () => journals.get(person.uuid) as MemoryJournal;
  beforeEach(async () => {
    journals = new Map();
    setJournal((id) => {
      const kept = journals.get(id) ?? new MemoryJournal();
      journals.set(id, kept);
      return kept;
    });
    person = { uuid: crypto.randomUUID() };
    db = personDb(person.uuid);
    expect(await openStore(db)).toBe('ok');
  });
  afterEach(() => setJournal(() => none));

  const work = async () => {
    const id = await startAttempt(db, person, document);
    await recordProgress(db, { id, user_id: person.uuid, rev: 0 }, topic, 'completed', 100, 60);
    return id;
  };
  /** Simulates the browser losing a database: the next open finds an empty one. */
  const loseDatabase = async () => {
    closePersonDb(person.uuid);
    await Dexie.delete(personDbName(person.uuid));
    db = personDb(person.uuid);
  };
  const raw = async (table: string): Promise<object[]> => {
    const plain = await new Dexie(personDbName(person.uuid)).open();
    const rows = await plain.table(table).toArray();
    plain.close();
    return rows;
  };

  it('recovers the latest version of drafts and their files from the second journal, but not saved or discarded ones', async () => {
    const own = (name: string) => `${draftPrefix}${name}`;
    await keepDraft(db, own('a'), 'What I s', true);
    await keepDraft(db, own('a'), 'What I saw', true);
    await keepDraft(db, `${draftFilePrefix}b`, 'bytes', true);
    await keepDraft(db, own('c'), 'saved since', true);
    await dropDraft(db, own('c'));
    expect(disk().text).not.toContain('What I saw');
    await loseDatabase();
    expect(await openStore(db)).toBe('ok');
    expect((await db.kv.get(own('a')))?.value).toBe('What I saw');
    expect((await db.kv.get(`${draftFilePrefix}b`))?.value).toBe('bytes');
    expect(await db.kv.get(own('c'))).toBeUndefined();
    expect((await incidentsOf(person.uuid)).map((i) => i.recovered)).toEqual([2]);
    // Deleted in an intact store, so it was saved, whatever the journal says.
    await db.kv.delete(own('a'));
    expect(await checkJournal(db)).toBe(0);
    expect(await db.kv.get(own('a'))).toBeUndefined();
  });

  /** What the browser does to an open page on a full disk: connections are closed, databases, files and keys are gone. */
  const emptyOrigin = async () => {
    for (const open of [db, deviceDb()]) {
      const connection = open.backendDB();
      const deleted = new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase(open.name);
        deleting.onsuccess = resolve;
        deleting.onerror = reject;
      });
      forceCloseDatabase(connection as never);
      await deleted;
    }
    disk().text = '';
  };

  it('writes again what an open page holds after the browser has emptied the storage under it', async () => {
    const id = await work();
    await keepDraft(db, `${draftPrefix}note`, 'What I saw', true);
    const before = (await db.outbox.orderBy('id').keys()).map(String);
    await emptyOrigin();
    expect((await db.outbox.orderBy('id').keys()).map(String)).toEqual(before);
    expect((await db.kv.get(`${draftPrefix}note`))?.value).toBe('What I saw');
    expect(emptiedStore()).toBeNull();
    expect((await incidentsOf(person.uuid)).map(({ kind, recovered, lost }) => ({ kind, recovered, lost }))).toEqual([
      { kind: 'store-lost', recovered: 3, lost: 0 },
    ]);
    // The journal has it again, too, and so has the next page, which knows only what is on the disk.
    expect(new Set(stillOpen(await disk().read()).ids)).toEqual(new Set([...before, `kv:${draftPrefix}note`]));
    await recordProgress(db, { id, user_id: person.uuid, rev: 0 }, { ...topic, id: '00000000-0000-4000-a000-0000000000a2' }, 'completed', 100, 60);
    closePersonDb(person.uuid);
    dropDataKey(person.uuid);
    db = personDb(person.uuid);
    expect(await openStore(db)).toBe('ok');
    expect((await db.outbox.toArray()).map((e) => e.sentence)).toHaveLength(before.length + 1);
    expect((await incidentsOf(person.uuid)).length).toBe(1);
  });

  it('says how much only the open page has while the emptied store cannot be written, and writes it when it can', async () => {
    await work();
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
    try {
      await emptyOrigin();
      await db.outbox.count();
      expect(emptiedStore()).toMatchObject({ personId: person.uuid });
      expect(emptiedStore()?.waiting).toHaveLength(2);
      expect(heldEntries(person.uuid)).toMatchObject([{ sentence: 'Started “Infection control”' }, { sentence: 'Finished “Washing hands”' }]);
      expect(await tryWritingAgain(db)).toBe(false);
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expect(await tryWritingAgain(db)).toBe(true);
    expect(emptiedStore()).toBeNull();
    expect(await db.outbox.count()).toBe(2);
  });

  it('does not take the store for emptied if it was closed or deleted by the app', async () => {
    await work();
    closePersonDb(person.uuid);
    db = personDb(person.uuid);
    expect(await openStore(db)).toBe('ok');
    expect(await db.outbox.count()).toBe(2);
    expect(await incidentsOf(person.uuid)).toEqual([]);
  });

  it('lists what waited according to local storage if neither store nor journal nor page has it any more', async () => {
    const values = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    });
    try {
      await work();
      const ids = (await db.outbox.orderBy('id').keys()).map(String);
      noteUnsent(person.uuid, ids, '2026-03-01T10:00:00.000Z');
      forgetHeld(person.uuid);
      disk().text = '';
      await loseDatabase();
      expect(await openStore(db)).toBe('ok');
      expect(await neverCame(person.uuid)).toEqual(ids.map((id) => ({ id, at: '2026-03-01T10:00:00.000Z', seen: false })));
      expect((await incidentsOf(person.uuid)).map(({ recovered, lost }) => ({ recovered, lost }))).toEqual([{ recovered: 0, lost: 2 }]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('leaves no work readable on disk, in database or journal', async () => {
    await work();
    const rows = (await Promise.all(['outbox', 'attempts', 'topicProgress', 'kv'].map(raw))).flat();
    expect(rows.length).toBeGreaterThan(3);
    const text = JSON.stringify(rows, (_, v) => (v instanceof Uint8Array ? String.fromCharCode(...v) : v)) + disk().text;
    for (const word of ['Infection control', 'Washing hands', 'completed', 'content_version']) expect(text).not.toContain(word);
    expect((await db.outbox.toArray()).map((e) => e.sentence)).toEqual(['Started “Infection control”', 'Finished “Washing hands”']);
  });

  it('refuses a row that was moved to another’s place', async () => {
    await work();
    const [first, second] = (await raw('outbox')) as { n: number; sealed: Uint8Array }[];
    const plain = await new Dexie(personDbName(person.uuid)).open();
    await plain.table('outbox').put({ ...first, sealed: second?.sealed });
    plain.close();
    const moved = await db.outbox.get(first?.n as number);
    expect(() => moved?.sentence).toThrow();
  });

  it('can be counted but not read or written while locked', async () => {
    await work();
    await setPin(person.uuid, '271828');
    await lock(person.uuid);
    expect(await unsentOf(person.uuid)).toBe(2);
    const [entry] = await db.outbox.toArray();
    expect(entry?.lane).toMatch(/^attempt:/);
    expect(() => entry?.sentence).toThrow(Locked);
    await expect(work()).rejects.toThrow();
    await expect(dexieStore(db).sendable(Date.now())).rejects.toThrow(Locked);
    expect(await unlockWithPin(person.uuid, '271828')).toEqual({ kind: 'open' });
    expect((await dexieStore(db).sendable(Date.now())).size).toBe(1);
    expect((await db.outbox.toArray())[1]?.sentence).toBe('Finished “Washing hands”');
    await work();
  });

  it('is unprotected until a lock is set, and has no key beside it afterwards', async () => {
    expect((await readKeyRecord(person.uuid))?.open).not.toBeNull();
    expect(await lockOf(person.uuid)).toBeNull();
    await setPin(person.uuid, '271828');
    expect((await readKeyRecord(person.uuid))?.open).toBeNull();
    expect(await lockOf(person.uuid)).toMatchObject({ pin: true, passkeys: 0 });
    await removeLock(person.uuid);
    await lock(person.uuid);
    expect(await openKey(person.uuid)).toBe(true);
  });

  it('makes wrong PINs wait increasingly long, and deletes nothing', async () => {
    await work();
    await setPin(person.uuid, '271828');
    await lock(person.uuid);
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) waits.push(((await unlockWithPin(person.uuid, '000000')) as { waitMs: number }).waitMs);
    expect(waits).toEqual([0, 0, 5000]);
    expect(await unlockWithPin(person.uuid, '271828')).toMatchObject({ kind: 'wait' });
    expect(await unsentOf(person.uuid)).toBe(2);
  }, 30_000);

  it('is opened by the organisation if the PIN is forgotten, and by no other key', async () => {
    await work();
    const pair = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    );
    await keepRecovery(person.uuid, { kid: 'k1', jwk: await crypto.subtle.exportKey('jwk', pair.publicKey) });
    await setPin(person.uuid, '271828');
    await lock(person.uuid);
    const wrapped = (await readKeyRecord(person.uuid))?.recovery?.data as string;
    await expect(unlockRecovered(person.uuid, crypto.getRandomValues(new Uint8Array(32)), true)).rejects.toThrow();
    expect((await lockOf(person.uuid))?.pin).toBe(true);
    const key = new Uint8Array(
      await crypto.subtle.decrypt({ name: 'RSA-OAEP', label: new TextEncoder().encode(person.uuid) }, pair.privateKey, fromBase64(wrapped)),
    );
    await unlockRecovered(person.uuid, key, true);
    expect((await db.outbox.toArray())[0]?.sentence).toBe('Started “Infection control”');
  });

  it('is recovered from the second journal when the browser has lost the database, and reports it', async () => {
    const id = await work();
    const before = await db.outbox.toArray();
    await loseDatabase();
    expect(await openStore(db)).toBe('ok');
    expect((await db.outbox.toArray()).map((e) => ({ ...e }))).toEqual(before.map((e) => ({ ...e })));
    expect((await db.attempts.get(id))?.content_title).toBe('Infection control');
    expect((await db.topicProgress.get([id, topic.id]))?.state).toBe('completed');
    expect(await incidentsOf(person.uuid)).toMatchObject([{ kind: 'store-lost', recovered: 2, seen: false }]);
  });

  it('recovers entries in their order, even if another tab has written in between', async () => {
    const id = await work();
    const answer = (question_id: string) =>
      saveAnswer(
        db,
        { id, user_id: person.uuid, rev: 0 },
        { quiz_id: topic.id, try_no: 1, question_id },
        { kind: 'single', option: 'a' },
        'Answered',
      );
    await answer('q1');
    // Another tab has its own journal and positions unknown to this tab.
    const elsewhere = (await db.outbox.toArray()).at(-1);
    await db.outbox.add({ ...elsewhere, n: undefined, id: crypto.randomUUID(), mergeKey: null } as never);
    await answer('q2');
    const before = (await db.outbox.toArray()).filter((e) => e.mergeKey !== null);
    await loseDatabase();
    await openStore(db);
    const after = (await db.outbox.toArray()).filter((e) => e.mergeKey !== null);
    expect(after.map((e) => [e.n, e.id])).toEqual(before.map((e) => [e.n, e.id]));
    expect((await db.quizAnswers.toArray()).map((a) => a.question_id)).toEqual(['q1', 'q2']);
  });

  it('recovers the newest of merged entries, even if the first was written with another', async () => {
    const id = await work();
    const here = { attempt: { id, user_id: person.uuid }, item: { id: 'sco', title: 'Using the hoist' } };
    const session = crypto.randomUUID();
    const facts = { completion: 'incomplete', success: 'unknown', score: null, percent: 10, cmi: {} } as const;
    for (const ticks of [1, 2, 3]) await commitScorm(db, here, session, { ...facts, ticks, seconds: ticks * 10 });
    await loseDatabase();
    await openStore(db);
    const entries = (await db.outbox.toArray()).filter((e) => e.command === 'attempt.scorm_commit');
    expect(entries.map((e) => (e.args as { seconds: number }).seconds)).toEqual([30]);
    expect((await db.scormSessions.toArray()).map((r) => r.seconds)).toEqual([30]);
  });

  it('does not recover acknowledged entries', async () => {
    await work();
    const [first] = await db.outbox.toArray();
    await dexieStore(db).settle(first?.lane as string, [{ id: first?.id as string, outcome: 'applied' }], null, new Date().toISOString());
    await loseDatabase();
    await openStore(db);
    expect((await db.outbox.toArray()).map((e) => e.sentence)).toEqual(['Finished “Washing hands”']);
  });

  it('recovers entries that wait again because the server has forgotten them', async () => {
    await work();
    const [first] = await db.outbox.toArray();
    const id = first?.id as string;
    await dexieStore(db).settle(first?.lane as string, [{ id, outcome: 'applied' }], null, new Date().toISOString());
    expect(await resend(db, [id])).toBe(1);
    expect((await db.outbox.orderBy('n').first())?.id).toBe(id);
    await loseDatabase();
    await openStore(db);
    expect((await db.outbox.orderBy('n').first())?.id).toBe(id);
  });

  it('recovers single missing entries, and skips a truncated line', async () => {
    await work();
    await recordProgress(db, { id: crypto.randomUUID(), user_id: person.uuid, rev: 0 }, { ...topic, title: 'Gloves' }, 'started', 10, 5);
    const entries = await db.outbox.toArray();
    await db.outbox.delete(entries[1]?.n as number);
    disk().text += disk().text.slice(0, 40);
    expect(await checkJournal(db)).toBe(1);
    expect((await db.outbox.toArray()).map((e) => e.id)).toEqual(entries.map((e) => e.id));
    expect(await incidentsOf(person.uuid)).toMatchObject([{ kind: 'entries-lost', recovered: 1 }]);
    expect(await checkJournal(db)).toBe(0);
  });

  it('reports nothing at the first use of a device', async () => {
    expect(await incidentsOf(person.uuid)).toEqual([]);
    expect(await journalOf(person.uuid).read()).toEqual([]);
  });
});

import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Attempt, DraftAnswer, QuizSubmission, TopicProgress } from '#contract/entities/attempt.ts';
import type { CareCertificate, Decision, Observation } from '#contract/entities/care-certificate.ts';
import type { Register } from '#contract/entities/training-session.ts';
import type { Message } from '#contract/entities/message.ts';
import type { H5pFacts, ScormSession } from '#contract/entities/package-work.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { closeJournal, journalOf } from '#src/offline/journal/journal.ts';
import { forgetSecondCopy } from '#src/offline/journal/second-copy.ts';
import { openKey } from '#src/offline/keys/keyring.ts';
import { dropDataKey } from '#src/offline/keys/unlocked.ts';
import type { Entry } from '#src/offline/ports.ts';
import { deviceDb, signingKeyName } from '#src/offline/store/device-db.ts';
import { noticedFactory } from '#src/offline/store/noticed-factory.ts';
import { personDbName } from '#src/offline/store/person-db-name.ts';
import { type SealedRow, sealedRows } from '#src/offline/store/sealed-rows.ts';

/** An attempt without what has a store of its own. `known` is false until the server has confirmed it. */
export type AttemptRow = Omit<Attempt, 'progress' | 'submissions' | 'answers' | 'scorm' | 'h5p'> & { known: boolean; touchedAt: string };
export type ProgressRow = TopicProgress & { attempt_id: string };
export type AnswerRow = DraftAnswer & { attempt_id: string };
/** A quiz that was handed in. `graded` is null until the server has marked it. */
export type SubmissionRow = { id: string; attempt_id: string; quiz_id: string; try_no: number; submitted_at: string; graded: QuizSubmission | null };
export type ContentRow = { id: string; version: number; document: ContentDocument; kept_at: string };
/** A course kept for use without a network. Sizes in bytes. */
export type PackRow = {
  content_id: string;
  version: number;
  state: 'loading' | 'ready' | 'failed';
  bytes: number;
  loaded: number;
  hashes: string[];
  at: string;
};
/** An entry that the server has answered for, kept for a while: a server restored from a backup may ask for it again. */
export type SettledRow = Entry & { settled_at: string; outcome: 'applied' | 'late' | 'discarded' };
/** One session of a package, and the session that is gone on with. */
export type ScormSessionRow = ScormSession & { attempt_id: string; item_id: string };
export type ScormResumeRow = { attempt_id: string; item_id: string; session_id: string };
/** An H5P activity: where the person is in it (null where it says nothing of that), and what it has reported comes to. */
export type H5pStateRow = { attempt_id: string; item_id: string; state: string | null } & Partial<H5pFacts>;
/** A session in which a package was played here: by its key (base64) what it said while its
 * tab was being closed is known again. Of one in which a person was only looking nothing is kept. */
export type PlayerSessionRow = { session_id: string; at: string; attempt_id: string; item_id: string; title: string; key: string; looking: boolean };
/** A care certificate without what has a store of its own. `received_at` of an entry is null until the server has it. */
export type CertificateRow = Omit<CareCertificate, 'observations' | 'decisions'>;
export type ObservationRow = Omit<Observation, 'received_at'> & { certificate_id: string; received_at: string | null };
export type DecisionRow = Decision & { certificate_id: string };
/** A training session with its register, as the server said it last and with what was noted here since. */
export type RegisterRow = Register;
/** A message and the person it is exchanged with. `received_at` is null until the server has it. */
export type MessageRow = Omit<Message, 'received_at'> & { other: string; received_at: string | null };
export type KvRow = { key: string; value: unknown };

export type PersonDb = Dexie & {
  readonly personId: string;
  outbox: EntityTable<Entry, 'n'>;
  settled: EntityTable<SettledRow, 'id'>;
  attempts: EntityTable<AttemptRow, 'id'>;
  topicProgress: Table<ProgressRow, [string, string]>;
  quizAnswers: Table<AnswerRow, [string, string, number, string]>;
  quizSubmissions: EntityTable<SubmissionRow, 'id'>;
  scormSessions: Table<ScormSessionRow, [string, string, string]>;
  scormResumes: Table<ScormResumeRow, [string, string]>;
  h5pStates: Table<H5pStateRow, [string, string]>;
  playerSessions: EntityTable<PlayerSessionRow, 'session_id'>;
  certificates: EntityTable<CertificateRow, 'id'>;
  observations: EntityTable<ObservationRow, 'id'>;
  decisions: Table<DecisionRow, [string, string]>;
  messages: EntityTable<MessageRow, 'id'>;
  registers: EntityTable<RegisterRow, 'id'>;
  contents: Table<ContentRow, [string, number]>;
  packs: EntityTable<PackRow, 'content_id'>;
  kv: EntityTable<KvRow, 'key'>;
};

/** Raised with every change to the stores below. */
export const schemaVersion = 4;
export { personDbName };

const open = new Map<string, PersonDb>();

/**
 * One person's database: everything of theirs on this device, deletable as a whole. Strict: a write is complete when it
 * has reached the disk. A newer database than this release knows is refused by Dexie and explained, never wiped.
 */
export const personDb = (personId: string): PersonDb => {
  const kept = open.get(personId);
  if (kept) return kept;
  const db = Object.assign(new Dexie(personDbName(personId), { chromeTransactionDurability: 'strict', ...noticedFactory() }), {
    personId,
  }) as PersonDb;
  db.version(1).stores({
    outbox: '++n, &id, lane',
    settled: 'id, settled_at',
    attempts: 'id, content_id',
    topicProgress: '[attempt_id+topic_id], attempt_id',
    quizAnswers: '[attempt_id+quiz_id+try_no+question_id], attempt_id',
    quizSubmissions: 'id, attempt_id',
    contents: '[id+version], id',
    packs: 'content_id',
    kv: 'key',
  });
  db.version(2).stores({
    scormSessions: '[attempt_id+item_id+session_id], attempt_id',
    scormResumes: '[attempt_id+item_id]',
    h5pStates: '[attempt_id+item_id]',
    certificates: 'id',
    observations: 'id, certificate_id',
    decisions: '[certificate_id+criterion], certificate_id',
    messages: 'id, other',
  });
  db.version(3).stores({ playerSessions: 'session_id, at' });
  db.version(schemaVersion).stores({ registers: 'id' });
  db.use(sealedRows(personId));
  // Nothing is read before the key is there. Where the person is locked, counts can be read and nothing else.
  db.on('ready', () => openKey(personId), true);
  open.set(personId, db);
  return db;
};

/** Closes a person's database in this tab: another person comes, or it is locked. */
export const closePersonDb = (personId: string): void => {
  open.get(personId)?.close();
  open.delete(personId);
  closeJournal(personId);
};

/** Deletes all of a person's data on this device, and their key. Only where nothing of theirs is unsent. */
export const deletePersonDb = async (personId: string): Promise<void> => {
  const db = personDb(personId);
  const unsent = await db.outbox.count().catch(() => 0);
  if (unsent > 0) throw new Error('unsent work is kept');
  open.delete(personId);
  await db.delete();
  await journalOf(personId).forget();
  closeJournal(personId);
  dropDataKey(personId);
  await deviceDb().keys.delete(personId);
  await deviceDb().meta.delete(signingKeyName(personId));
  await forgetSecondCopy(`key-${personId}`);
};

/** The rows of a person's outbox as they lie on the disk: without their key, locked or not. Oldest first. */
export const storedOutbox = async (personId: string): Promise<SealedRow[]> => {
  if (!(await Dexie.exists(personDbName(personId)))) return [];
  const plain = new Dexie(personDbName(personId));
  try {
    await plain.open();
    return (await plain.table('outbox').orderBy(':id').toArray()) as SealedRow[];
  } finally {
    plain.close();
  }
};
/** What somebody has begun to write and not saved yet is kept in `kv` under a key that begins so, and outlives their signing out. */
export const draftPrefix = 'draft:';
/** The files of such drafts lie beside them. */
export const draftFilePrefix = 'draft-file:';
/** What is typed in a form and not saved lies in `kv` under a key that begins so, and goes when its person signs out. */
export const formDraftPrefix = 'form:';
/** How the second journal knows a draft. */
export const draftJournalId = (key: string): string => `kv:${key}`;
/** Everything of drafts that the store has, as the second journal knows it. */
export const draftIdsIn = async (db: PersonDb): Promise<string[]> =>
  (await db.kv.where('key').startsWithAnyOf(draftPrefix, draftFilePrefix).primaryKeys()).map(draftJournalId);
/** How many such things there are. */
export const draftsIn = (db: PersonDb): Promise<number> => db.kv.where('key').startsWith(draftPrefix).count();
/** How many entries of a person wait on this device, whether they are locked or not. */
export const unsentOf = async (personId: string): Promise<number> => (await storedOutbox(personId)).length;

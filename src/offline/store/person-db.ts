import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Attempt, DraftAnswer, QuizSubmission, TopicProgress } from '#contract/entities/attempt.ts';
import type { CareCertificate, Decision, Observation } from '#contract/entities/care-certificate.ts';
import type { OwnCheckIn } from '#contract/entities/check-in.ts';
import type { OwnEvaluation } from '#contract/entities/evaluation.ts';
import type { OwnFeedback } from '#contract/entities/feedback.ts';
import type { ResultStatus } from '#contract/entities/result.ts';
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
import { forgetUnsent } from '#src/offline/store/unsent-mark.ts';

/**
 * An attempt without the parts that have their own store. `known`: the server has confirmed it. `shown_as`: the attempt as which it was begun
 * on this device, whose questions are shown here.
 */
export type AttemptRow = Omit<Attempt, 'progress' | 'submissions' | 'answers' | 'scorm' | 'h5p'> & {
  known: boolean;
  touchedAt: string;
  shown_as?: string;
};
export type ProgressRow = TopicProgress & { attempt_id: string };
export type AnswerRow = DraftAnswer & { attempt_id: string };
/** A submitted quiz. `graded` is null until the server has marked it. */
export type SubmissionRow = { id: string; attempt_id: string; quiz_id: string; try_no: number; submitted_at: string; graded: QuizSubmission | null };
export type ContentRow = { id: string; version: number; document: ContentDocument; kept_at: string };
/**
 * A course downloaded for offline use. Sizes in bytes. `loading` and `failed` go on by themselves when there is a connection; `stopped`
 * waits for the person.
 */
export type PackRow = {
  content_id: string;
  version: number;
  state: 'loading' | 'ready' | 'failed' | 'stopped';
  bytes: number;
  loaded: number;
  hashes: string[];
  at: string;
};
/** An acknowledged entry, kept for a while because a server restored from a backup may ask for it again. */
export type SettledRow = Entry & { settled_at: string; outcome: 'applied' | 'late' | 'discarded' };
/** A session of a package. */
export type ScormSessionRow = ScormSession & { attempt_id: string; item_id: string };
export type ScormResumeRow = { attempt_id: string; item_id: string; session_id: string };
/** An H5P activity: current position (null if it reports none) and totals of its statements. */
export type H5pStateRow = { attempt_id: string; item_id: string; state: string | null } & Partial<H5pFacts>;
/**
 * A session of a package in the player. `key` (base64) decrypts the report written while its tab was closing. `looking`: a preview,
 * of which nothing is stored.
 */
export type PlayerSessionRow = { session_id: string; at: string; attempt_id: string; item_id: string; title: string; key: string; looking: boolean };
/** A care certificate without the parts that have their own store. `received_at` of an entry is null until the server has it. */
export type CertificateRow = Omit<CareCertificate, 'observations' | 'decisions'>;
export type ObservationRow = Omit<Observation, 'received_at'> & { certificate_id: string; received_at: string | null };
export type DecisionRow = Decision & { certificate_id: string };
/**
 * A training session with its register: the server's copy with later changes from this device. `gone`: it is no longer one of the person's
 * sessions, and kept because it has unsent work.
 */
export type RegisterRow = Register & { gone?: true };
/**
 * A certificate from elsewhere that was submitted on this device, without its file, until it is on the stored training record.
 * `status`: the server's last one; null until it has the certificate.
 */
export type SubmittedCertificateRow = {
  id: string;
  course: { id: string; title: string };
  completed_on: string;
  expires_on: string | null;
  note: string;
  file_name: string;
  at: string;
  status: ResultStatus | null;
};
/** A message and the other person. `received_at` is null until the server has it. */
export type MessageRow = Omit<Message, 'received_at'> & { other: string; received_at: string | null };
/** The person's feedback on a content. `received_at` is null until the server has it. */
export type FeedbackRow = Omit<OwnFeedback, 'received_at'> & { received_at: string | null };
/** The person's check-in to a session. `name`: of its course, if known here; `received`: the server has it. */
export type CheckInRow = Omit<OwnCheckIn, 'received_at'> & { name: string; received: boolean };
/** The person's evaluation of a training session, by their place on it, which is also `content_id`. */
export type EvaluationRow = Omit<OwnEvaluation, 'received_at'> & { kind: 'evaluation'; content_id: string; received_at: string | null };
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
  submissions: EntityTable<SubmittedCertificateRow, 'id'>;
  feedback: EntityTable<FeedbackRow | EvaluationRow, 'id'>;
  checkIns: EntityTable<CheckInRow, 'session_id'>;
  contents: Table<ContentRow, [string, number]>;
  packs: EntityTable<PackRow, 'content_id'>;
  kv: EntityTable<KvRow, 'key'>;
};

/** Incremented with every change to the stores below. */
export const schemaVersion = 7;
export { personDbName };

const open = new Map<string, PersonDb>();

/**
 * One person's database: all their data on this device, deletable as a whole. Durability is strict: a write completes once it is
 * on disk. Dexie refuses a database newer than this release; it is explained to the person and never wiped.
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
  db.version(4).stores({ registers: 'id' });
  db.version(5).stores({ submissions: 'id' });
  db.version(6).stores({ feedback: 'id, content_id' });
  db.version(schemaVersion).stores({ checkIns: 'session_id' });
  db.use(sealedRows(personId));
  // Nothing is read before the key is available. If the person is locked, only counts can be read.
  db.on('ready', () => openKey(personId), true);
  open.set(personId, db);
  return db;
};

/** Whether this is still the person's database in this tab: it has not been closed by `closePersonDb` or deleted. */
export const isOpen = (db: PersonDb): boolean => open.get(db.personId) === db;

/** Closes a person's database in this tab, because it is locked or another person signs in. */
export const closePersonDb = (personId: string): void => {
  open.get(personId)?.close();
  open.delete(personId);
  closeJournal(personId);
};

/** Deletes all of a person's data and their key from this device. Only if nothing is unsent. */
export const deletePersonDb = async (personId: string): Promise<void> => {
  const db = personDb(personId);
  const unsent = await db.outbox.count().catch(() => 0);
  if (unsent > 0) throw new Error('unsent work is kept');
  open.delete(personId);
  await db.delete();
  await journalOf(personId).forget();
  closeJournal(personId);
  dropDataKey(personId);
  forgetUnsent(personId);
  await deviceDb().keys.delete(personId);
  await deviceDb().meta.delete(signingKeyName(personId));
  await forgetSecondCopy(`key-${personId}`);
};

/** The stored form of a person's outbox, oldest first. Needs no key. */
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
/** Prefix of drafts in `kv`, which survive signing out. */
export const draftPrefix = 'draft:';
/** Prefix of the files of drafts. */
export const draftFilePrefix = 'draft-file:';
/** Prefix of unsaved form input in `kv`, which is deleted at sign-out. */
export const formDraftPrefix = 'form:';
/** The id of a draft in the second journal. */
export const draftJournalId = (key: string): string => `kv:${key}`;
/** Journal ids of all drafts and their files in the store. */
export const draftIdsIn = async (db: PersonDb): Promise<string[]> =>
  (await db.kv.where('key').startsWithAnyOf(draftPrefix, draftFilePrefix).primaryKeys()).map(draftJournalId);
/** Number of drafts. */
export const draftsIn = (db: PersonDb): Promise<number> => db.kv.where('key').startsWith(draftPrefix).count();
/** Number of unsent entries of a person on this device, locked or not. */
export const unsentOf = async (personId: string): Promise<number> => (await storedOutbox(personId)).length;

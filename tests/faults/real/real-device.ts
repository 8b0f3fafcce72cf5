import 'fake-indexeddb/auto';
import { createHash, randomBytes } from 'node:crypto';
import Dexie from 'dexie';
import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { EvidenceNote } from '#contract/entities/care-evidence.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { forgetCsrfToken, request } from '#src/api/transport.ts';
import { recordProgress, saveAnswer, startAttempt, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { recordObservation, signRecord } from '#src/offline/kinds/certificate/commands.ts';
import type { Delegate, Register } from '#contract/entities/training-session.ts';
import { currentMark } from '#contract/rules/register.ts';
import { addWalkIn, completeRegister, markDelegate, noteServerRegister, signMark } from '#src/offline/kinds/register/commands.ts';
import { askAboutContent, rateContent, reportProblem } from '#src/offline/kinds/feedback/commands.ts';
import { sendMessage } from '#src/offline/kinds/messages/commands.ts';
import { submitCertificate, withdrawSubmission } from '#src/offline/kinds/submission/commands.ts';
import { checkInCode, checkInStep } from '#contract/rules/check-in.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { checkIn } from '#src/offline/kinds/check-in/commands.ts';
import { commitScorm, recordH5p } from '#src/offline/kinds/attempt/package-commands.ts';
import { keepReplaying, replayFor } from '#src/offline/engine.ts';
import { setJournal } from '#src/offline/journal/journal.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { keepMine, keepTheirs } from '#src/offline/outbox/resolve.ts';
import type { ReplayStatus } from '#src/offline/ports.ts';
import { openStore } from '#src/offline/store/open-store.ts';
import { closePersonDb, type PersonDb, personDb, personDbName } from '#src/offline/store/person-db.ts';
import { MemoryJournal } from '#tests/support/memory-journal.ts';

/** Sends a request of the app and returns the answer. */
export type Line = (path: string, init: RequestInit) => Promise<Response>;

/** The cookies of one browser. */
export class CookieJar {
  private readonly kept = new Map<string, string>();
  header(): string {
    return [...this.kept].map(([k, v]) => `${k}=${v}`).join('; ');
  }
  take(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') this.kept.delete(name);
      else this.kept.set(name, decodeURIComponent(value));
    }
  }
  clear(): void {
    this.kept.clear();
  }
}

const journals = new Map<string, MemoryJournal>();
setJournal((id) => {
  const kept = journals.get(id) ?? new MemoryJournal();
  journals.set(id, kept);
  return kept;
});

/** A change that the device reported as saved. */
export type Saved = {
  kind:
    | 'progress'
    | 'answer'
    | 'quiz'
    | 'session'
    | 'statement'
    | 'observation'
    | 'evidence'
    | 'signature'
    | 'message'
    | 'mark'
    | 'walk-in'
    | 'signature of a mark'
    | 'finished register'
    | 'certificate from elsewhere'
    | 'feedback'
    | 'check-in';
  hash?: string;
  /** Its content, to compare with the server's. */
  said?: unknown;
  topic?: string;
  seconds?: number;
  at?: string;
  quiz?: string;
  key: string;
};

/**
 * A device in this process: the real store over IndexedDB, the real engine and commands; only the connection is replaced. One at
 * a time, because the app's modules belong to one device.
 */
export class RealDevice {
  readonly jar = new CookieJar();
  person: { uuid: string } | null = null;
  readonly saved: Saved[] = [];
  private readonly spent = new Map<string, number>();
  private readonly finished = new Map<string, string>();
  private readonly attempts = new Map<string, { id: string; user_id: string; rev: number; content_version: number }>();
  line: Line;
  constructor(line: Line) {
    this.line = line;
    globalThis.fetch = ((input: RequestInfo | URL, init: RequestInit = {}) => this.cross(String(input), init)) as typeof fetch;
  }
  private async cross(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('cookie', this.jar.header());
    const response = await this.line(path, { ...init, headers });
    this.jar.take(response.headers.getSetCookie());
    return response;
  }
  async signIn(email: string): Promise<{ uuid: string }> {
    forgetCsrfToken();
    const result = await request<{ uuid: string }>('POST', '/login', { body: { email, password: demoPassword } });
    if (result.kind !== 'ok') throw new Error(`sign-in answered ${JSON.stringify(result)}`);
    return result.data;
  }
  /** Opens the device for a person. */
  async open(person: { uuid: string }): Promise<PersonDb> {
    this.person = person;
    const db = personDb(person.uuid);
    const state = await openStore(db);
    if (state !== 'ok') throw new Error(`the store is ${state}`);
    return db;
  }
  get db(): PersonDb {
    return personDb(this.person?.uuid as string);
  }
  async document(id: string): Promise<ContentDocument> {
    const result = await request<ContentDocument>('GET', `/content/${id}/document`);
    if (result.kind !== 'ok') throw new Error('no document');
    return result.data;
  }
  async begin(document: ContentDocument): Promise<void> {
    const person = this.person as { uuid: string };
    const id = await startAttempt(this.db, person, document);
    this.attempts.set(document.id, { id, user_id: person.uuid, rev: 0, content_version: document.version });
  }
  private attempt(content: string) {
    return this.attempts.get(content) as { id: string; user_id: string; rev: number; content_version: number };
  }
  /** Records that a page was read. False if the device reported that it could not be saved. */
  async read(content: string, topic: { id: string; title: string }, done: boolean, seconds: number): Promise<boolean> {
    try {
      await recordProgress(this.db, this.attempt(content), topic, done ? 'completed' : 'started', done ? 100 : 40, seconds);
    } catch (error) {
      if (error instanceof NotSaved) return false;
      throw error;
    }
    const row = await this.db.topicProgress.get([this.attempt(content).id, topic.id]);
    this.spent.set(topic.id, (this.spent.get(topic.id) ?? 0) + seconds);
    const done_at = this.finished.get(topic.id) ?? row?.completed_at;
    if (done_at) this.finished.set(topic.id, done_at);
    this.saved.push({
      kind: 'progress',
      topic: topic.id,
      seconds: this.spent.get(topic.id) as number,
      ...(done_at ? { at: done_at } : {}),
      key: topic.id,
    });
    return true;
  }
  async answer(content: string, quiz: string, question: string, tryNo: number): Promise<void> {
    // Unique, so that an older answer cannot be mistaken for the newest.
    const said = { kind: 'free_text' as const, text: `Answer ${this.saved.length}` };
    await saveAnswer(this.db, this.attempt(content), { quiz_id: quiz, try_no: tryNo, question_id: question }, said, 'Answered');
    this.saved.push({ kind: 'answer', quiz, key: `${quiz}:${tryNo}:${question}`, said });
  }
  async handIn(content: string, quiz: { id: string; title: string; questions?: readonly { id: string }[] }, tryNo: number): Promise<void> {
    const said = Object.fromEntries(
      (quiz.questions ?? []).map((q, i) => [q.id, { kind: 'free_text' as const, text: `Handed in ${this.saved.length}.${i}` }]),
    );
    await submitQuiz(this.db, this.attempt(content), quiz, tryNo, said);
    const there = await this.db.quizSubmissions.where('attempt_id').equals(this.attempt(content).id).toArray();
    // Found by its try, because two may have the same time, and the clock is corrected.
    const key = there.find((s) => s.quiz_id === quiz.id && s.try_no === tryNo)?.id as string;
    this.saved.push({ kind: 'quiz', quiz: quiz.id, key, said });
  }
  private session: { id: string; ticks: number } | null = null;
  /** Continues working in a package; with `again`, leaves and reopens it. */
  async work(content: string, again: boolean): Promise<void> {
    if (!this.session || again) this.session = { id: crypto.randomUUID(), ticks: 0 };
    const { id } = this.session;
    const ticks = ++this.session.ticks;
    const facts = { ticks, seconds: ticks * 7, completion: 'incomplete', success: 'unknown', score: null, percent: ticks, cmi: {} } as const;
    await commitScorm(this.db, { attempt: this.attempt(content), item: { id: 'sco', title: 'A package' } }, id, facts);
    this.saved.push({ kind: 'session', key: id, seconds: facts.seconds });
  }
  async play(content: string): Promise<void> {
    const id = crypto.randomUUID();
    const statement = { id, at: new Date().toISOString(), verb: 'answered', statement: {} };
    await recordH5p(this.db, { attempt: this.attempt(content), item: { id: 'h5p', title: 'An activity' } }, [statement], id);
    this.saved.push({ kind: 'statement', key: id });
  }
  /** Records an observation with files of this size (none for 0); with `signed`, assessor and learner sign it. */
  async observe(certificate: { id: string; user: { name: string } }, met: boolean, fileBytes = 0, signed = false, fileCount = 1): Promise<void> {
    const { uuid } = this.person as { uuid: string };
    const me = { uuid, name: 'Assessor' };
    const files = Array.from({ length: fileBytes > 0 ? fileCount : 0 }, () => {
      const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(fileBytes)]);
      const note: EvidenceNote = {
        ...{ id: crypto.randomUUID(), type: 'application/pdf', name: 'A page', bytes: bytes.length, people: 'nobody', consent: '' },
        hash: createHash('sha256').update(bytes).digest('hex'),
      };
      return { ...note, data: bytes.toString('base64') };
    });
    const record: ObservationRecord = {
      done_at: new Date().toISOString(),
      method: 'observation',
      setting: '',
      seen: `Seen ${this.saved.length}`,
      feedback: '',
      criteria: [{ criterion: '1.1a', outcome: met ? 'met' : 'not_yet_met', action: null, due: null }],
      ...(files.length > 0 ? { evidence: files.map(({ data: _, ...note }) => note) } : {}),
    };
    const key = await recordObservation(this.db, me, certificate, record, files);
    this.saved.push({ kind: 'observation', key, said: record });
    for (const { id, hash } of files) this.saved.push({ kind: 'evidence', key: id, hash });
    if (!signed) return;
    const content = await contentHash(record);
    for (const [signer, agrees] of [
      ['assessor', null],
      ['learner', met],
    ] as const) {
      const said = { about: key, signer, method: 'drawn', drawing: 'M10 10L20 20', content, agrees, comment: '' } as const;
      this.saved.push({ kind: 'signature', key: await signRecord(this.db, me, certificate, said) });
    }
  }
  /** Makes a change to a register: attendance, a walk-in, a signature or completion. Does nothing if it is not on this device. */
  async note(session: string, dice: number): Promise<void> {
    const { uuid } = this.person as { uuid: string };
    const me = { uuid, name: 'Trainer' };
    const register = (await this.db.registers.get(session)) ?? (await this.fetchRegister(session));
    if (!register) return;
    const drawn = { method: 'drawn', drawing: 'M10 10L20 20' } as const;
    if (dice < 0.1) {
      const known = new Set(register.delegates.flatMap((d) => d.marks.map((m) => m.id)));
      const id = await addWalkIn(this.db, me, register, { user_id: null, name: `Came ${dice}`, note: '' });
      this.saved.push({ kind: 'walk-in', key: id });
      const now = await this.db.registers.get(session);
      for (const mark of now?.delegates.flatMap((d) => d.marks) ?? []) if (!known.has(mark.id)) this.saved.push({ kind: 'mark', key: mark.id });
      return;
    }
    if (dice > 0.93) {
      this.saved.push({ kind: 'finished register', key: await completeRegister(this.db, me, register, { note: '', ...drawn }) });
      return;
    }
    const delegate = register.delegates[Math.floor(dice * 100) % register.delegates.length] as Delegate;
    const mark = currentMark(delegate);
    if (mark && dice > 0.7) {
      this.saved.push({ kind: 'signature of a mark', key: await signMark(this.db, me, register, delegate, { mark_id: mark.id, ...drawn }) });
      return;
    }
    const said = { presence: dice < 0.5 ? 'present' : 'absent', arrived: null, left: null, outcome: null, note: String(dice) } as const;
    this.saved.push({ kind: 'mark', key: await markDelegate(this.db, me, register, delegate, said), said: said.note });
  }
  private async fetchRegister(session: string): Promise<Register | undefined> {
    const result = await request<Register>('GET', `/training-sessions/${session}`);
    if (result.kind === 'ok') await noteServerRegister(this.db, result.data);
    return this.db.registers.get(session);
  }
  async write(to: { id: string; name: string }): Promise<void> {
    const { uuid } = this.person as { uuid: string };
    const said = `Hello ${this.saved.length}`;
    this.saved.push({ kind: 'message', key: await sendMessage(this.db, { id: uuid, name: 'Writer' }, to, said), said });
  }
  /** Rates a content, asks about it and reports a problem with it, in turn. */
  async say(document: ContentDocument): Promise<void> {
    const said = `Said ${this.saved.length}`;
    const part = document.lessons[0]?.topics[0]?.id ?? null;
    const ways = [
      () => rateContent(this.db, document, { rating: 4, message: said }),
      () => askAboutContent(this.db, document, { message: said }),
      () => reportProblem(this.db, document, { what: 'text', message: said, part, item: null }),
    ];
    for (const way of ways) this.saved.push({ kind: 'feedback', key: await way(), said });
  }
  /** Checks in to a session whose codes are computed from this key. */
  async checkIn(session: string, key: string): Promise<void> {
    const at = correctedNow();
    const step = checkInStep(at);
    await checkIn(this.db, { id: session, name: 'a course' }, { code: await checkInCode(key, session, step), step }, at.toISOString());
    const [entry] = await this.db.outbox.where('lane').startsWith(`check_in:${session}`).toArray();
    this.saved.push({ kind: 'check-in', key: entry?.id as string });
  }
  /** Submits a certificate from elsewhere with a file of this size. */
  async submit(course: { id: string; title: string }, fileBytes: number): Promise<string> {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(fileBytes)]);
    const said = `Submitted ${this.saved.length}`;
    const file = {
      ...{ name: 'certificate.pdf', type: 'application/pdf' as const, bytes: bytes.length },
      hash: createHash('sha256').update(bytes).digest('hex'),
    };
    const dates = { completed_on: '2026-03-02', expires_on: null };
    const key = await submitCertificate(this.db, { course, ...dates, note: said, file, data: bytes.toString('base64') });
    this.saved.push({ kind: 'certificate from elsewhere', key, said });
    return key;
  }
  withdraw(id: string): Promise<void> {
    return withdrawSubmission(this.db, { id, title: 'a course' });
  }
  attemptId(content: string): string {
    return this.attempt(content).id;
  }
  /** Closes and reopens the page; with `lost`, the browser has lost the database. */
  async restart(lost: boolean): Promise<void> {
    const person = this.person as { uuid: string };
    closePersonDb(person.uuid);
    if (lost) await Dexie.delete(personDbName(person.uuid));
    await this.open(person);
  }
  /** Runs the engine with its own pauses; returns a function that stops it. */
  keepSending(): () => void {
    // No reconnection events: the device polls.
    const nobody = new EventTarget();
    globalThis.addEventListener ??= nobody.addEventListener.bind(nobody);
    globalThis.removeEventListener ??= nobody.removeEventListener.bind(nobody);
    return keepReplaying(this.person?.uuid as string, () => undefined).stop;
  }
  /** One pass of the engine, skipping its pauses. */
  async send(): Promise<ReplayStatus> {
    let status: ReplayStatus = 'idle';
    await replayFor(this.person?.uuid as string, (s) => {
      status = s;
    }).wake();
    return status;
  }
  /** Sends until nothing is left, choosing the server's version unless `mine` says otherwise. Returns the number of entries left. */
  async drain(passes = 40, mine: () => boolean = () => false): Promise<number> {
    for (let i = 0; i < passes && (await this.db.outbox.count()) > 0; i++) {
      await this.send();
      for (const entry of await this.db.outbox.toArray())
        if (entry.state === 'needs-person')
          await (entry.trouble?.resolution.includes('keep_mine') && mine() ? keepMine : keepTheirs)(this.db, { ...entry });
    }
    return this.db.outbox.count();
  }
  async forget(): Promise<void> {
    const person = this.person;
    if (!person) return;
    closePersonDb(person.uuid);
    await Dexie.delete(personDbName(person.uuid));
    journals.delete(person.uuid);
  }
}

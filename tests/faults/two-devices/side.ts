import { randomUUID } from 'node:crypto';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { CareCertificate, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import type { Delegate, MarkArgs, Register } from '#contract/entities/training-session.ts';
import type { ArgsOf, Command } from '#contract/kinds.ts';
import { requiredTopics } from '#contract/rules/completion.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { currentMark } from '#contract/rules/register.ts';
import { request } from '#src/api/transport.ts';
import { noteServerAttempt, recordProgress, saveAnswer, startAttempt, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { commitScorm, recordH5p } from '#src/offline/kinds/attempt/package-commands.ts';
import { amendObservation, noteServerCertificate, recordObservation, signRecord } from '#src/offline/kinds/certificate/commands.ts';
import { asideWith, costOf, sidesOf } from '#src/offline/kinds/explain.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { type Choice, promises } from '#src/offline/kinds/promises.ts';
import { addWalkIn, completeRegister, markDelegate, noteServerRegister, signMark } from '#src/offline/kinds/register/commands.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { goingWith, keepMine, keepTheirs, sendAsNewTry, setAside } from '#src/offline/outbox/resolve.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { AttemptRow } from '#src/offline/store/person-db.ts';
import { type Line, RealDevice } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** What a history is about, the same for both devices. */
export type Matter = {
  content: string;
  course: { id: string; title: string };
  /** A session that both take the register of, and one that both check in to. */
  session: string;
  now: string;
  checkInKey: string;
  certificate: string;
  observed: string;
  /** What both work on more than on anything else, so that they meet. */
  most: Most;
};
export const mostly = ['anything', 'register', 'certificate', 'course'] as const;
export type Most = (typeof mostly)[number];
/** What a device said last of a delegate or a criterion, and whether its person is asked about it. */
export type Said<T> = { about: string; said: T; isAsked: boolean };
/** Entries that were acknowledged or set aside. */
export type Settled = { id: string; command: Command; args: unknown; at: string; thing: string; outcome: string; isNamed: boolean };
export type Report = { wrong: string[]; asked: string[]; settled: Settled[]; left: number };

const item = { id: 'sco', title: 'A package' };
const criteria = ['1.1a', '1.1b'] as const;
const drawn = { method: 'drawn', drawing: 'M10 10L20 20' } as const;
type Way = () => Promise<unknown>;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * One of the two devices of a history: the whole device of one person, which works, sends, and takes each choice that its sync centre offers,
 * comparing what comes of it with what the words of that choice promise.
 */
export class Side {
  private readonly wrong: string[] = [];
  private readonly asked: string[] = [];
  private readonly random: () => number;
  private readonly device: RealDevice;
  private readonly matter: Matter;
  private me = { uuid: '', name: 'Trainer' };
  private document!: ContentDocument;
  /** Entries that a choice named, by id. */
  private readonly named = new Set<string>();
  private scorm: { id: string; ticks: number } | null = null;
  private handedIn = 0;
  constructor(line: Line, seed: number, matter: Matter) {
    this.random = randomFrom(seed);
    this.device = new RealDevice(line);
    this.matter = matter;
  }
  private chance(p: number) {
    return this.random() < p;
  }
  private pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)] as T;
  }
  private get db() {
    return this.device.db;
  }
  private get certificate() {
    return { id: this.matter.certificate, user: { name: 'Observed' } };
  }
  private get quiz() {
    return this.document.quizzes[0] as ContentDocument['quizzes'][number];
  }

  /** Signs in, and takes along what is worked on without a connection. */
  async begin(email: string): Promise<void> {
    this.me = { ...(await this.device.signIn(email)), name: 'Trainer' };
    await this.device.open(this.me);
    this.document = await this.device.document(this.matter.content);
    await this.db.contents.put({ id: this.document.id, version: this.document.version, document: this.document, kept_at: '' });
    await this.lookAtRegister();
    await this.lookAtCertificate();
  }
  private async read<T>(path: string): Promise<T> {
    const result = await request<T>('GET', path);
    if (result.kind !== 'ok') throw new Error(`${path} answered ${JSON.stringify(result)}`);
    return result.data;
  }
  private register = () => this.read<Register>(`/training-sessions/${this.matter.session}`);
  private certificateNow = () => this.read<CareCertificate>(`/care-certificates/${this.matter.certificate}`);
  private attempts = () => this.read<Attempt[]>(`/users/${this.me.uuid}/attempts?content_id=${this.matter.content}`);
  private async lookAtRegister(): Promise<void> {
    await noteServerRegister(this.db, await this.register());
  }
  private async lookAtCertificate(): Promise<void> {
    await noteServerCertificate(this.db, await this.certificateNow());
  }
  /** Opens, with a connection, what the other device may have changed. */
  async look(): Promise<void> {
    const ways = [
      () => this.lookAtRegister(),
      () => this.lookAtCertificate(),
      async () => {
        for (const attempt of await this.attempts()) await noteServerAttempt(this.db, attempt);
      },
    ];
    await this.pick(ways)();
  }
  /** The attempt that is open here, begun if there is none; one that this device knows to have been completed last year is renewed. */
  private async attempt(): Promise<AttemptRow> {
    const known = await this.db.attempts.where('content_id').equals(this.document.id).toArray();
    const again = known.some((a) => a.completed_at !== null && Date.parse(a.completed_at) < Date.now() - 86_400_000);
    const id = await startAttempt(this.db, this.me, this.document, { again });
    return (await this.db.attempts.get(id)) as AttemptRow;
  }

  /** One thing done. */
  async work(): Promise<void> {
    const held = (await this.db.registers.get(this.matter.session)) as Register;
    const delegate = this.pick(held.delegates.filter((d) => d.user !== null));
    const register: Way[] = [
      () => markDelegate(this.db, this.me, held, delegate, this.mark()),
      () => markDelegate(this.db, this.me, held, delegate, this.mark()),
      async () => {
        const mark = currentMark(delegate);
        if (mark) await signMark(this.db, this.me, held, delegate, { mark_id: mark.id, ...drawn });
      },
      async () => {
        const id = await addWalkIn(this.db, this.me, held, { user_id: null, name: 'Sunny', note: '' });
        const now = (await this.db.registers.get(this.matter.session)) as Register;
        const came = now.delegates.find((d) => d.id === id) as Delegate;
        if (this.chance(0.5)) await signMark(this.db, this.me, now, came, { mark_id: currentMark(came)?.id as string, ...drawn });
      },
      () => completeRegister(this.db, this.me, held, { note: '', ...drawn }),
    ];
    const course: Way[] = [
      async () => {
        const topic = this.pick(requiredTopics(this.document));
        await recordProgress(this.db, await this.attempt(), topic, this.chance(0.7) ? 'completed' : 'started', 100, 5);
      },
      async () => this.handIn(await this.attempt()),
      async () => {
        if (!this.scorm || this.chance(0.4)) this.scorm = { id: randomUUID(), ticks: 0 };
        const ticks = ++this.scorm.ticks;
        const facts = { ticks, seconds: ticks * 7, completion: 'incomplete', success: 'unknown', score: null, percent: ticks, cmi: {} } as const;
        await commitScorm(this.db, { attempt: await this.attempt(), item }, this.scorm.id, facts);
      },
      async () => {
        const statement = { id: randomUUID(), at: new Date().toISOString(), verb: 'answered', statement: {} };
        await recordH5p(this.db, { attempt: await this.attempt(), item: { id: 'h5p', title: 'An activity' } }, [statement], randomUUID());
      },
    ];
    const certificate: Way[] = [() => this.observe(), () => this.observe()];
    const others: Way[] = [
      () => this.device.write({ id: this.matter.observed, name: 'Observed' }),
      () => this.device.say(this.document),
      () => this.device.submit(this.matter.course, 20),
      () => this.device.checkIn(this.matter.now, this.matter.checkInKey),
    ];
    const anything = [...register, ...course, ...certificate, ...others];
    await this.pick(this.chance(0.6) ? { anything, register, certificate, course }[this.matter.most] : anything)();
    await this.requireDifference();
  }
  /** As the screen notes it: who was not there has neither times nor a result. */
  private mark(): MarkArgs {
    const note = this.chance(0.2) ? `Noted ${Math.floor(this.random() * 1000)}` : '';
    if (this.chance(0.25)) return { presence: 'absent', arrived: null, left: null, outcome: null, note };
    const outcome = this.chance(0.5) ? null : this.chance(0.5) ? 'passed' : 'not_yet';
    return { presence: 'present', arrived: this.chance(0.2) ? this.pick(['09:30', '10:00']) : null, left: null, outcome, note };
  }
  private async observe(): Promise<void> {
    const outcome = this.chance(0.5) ? 'met' : 'not_yet_met';
    const record: ObservationRecord = {
      ...{ done_at: new Date().toISOString(), method: 'observation', setting: '', seen: `Seen ${Math.floor(this.random() * 1000)}`, feedback: '' },
      criteria: [{ criterion: this.pick(criteria), outcome, action: null, due: null }],
    };
    let about = await recordObservation(this.db, this.me, this.certificate, record);
    if (this.chance(0.2)) about = await amendObservation(this.db, this.me, this.certificate, about, 'A slip', record);
    if (this.chance(0.4)) {
      const signed = { signer: 'assessor', ...drawn, agrees: null, comment: '' } as const;
      await signRecord(this.db, this.me, this.certificate, { about, content: await contentHash(record), ...signed });
    }
  }
  private async handIn(attempt: AttemptRow): Promise<void> {
    const tries = await this.db.quizSubmissions.where('attempt_id').equals(attempt.id).toArray();
    const tryNo = tries.length + 1;
    if (tries.some((t) => t.graded === null || t.graded.passed) || tryNo > 3) return;
    this.handedIn++;
    const answers: Record<string, Answer> = {};
    for (const q of drawQuestions(this.quiz, attempt.shown_as ?? attempt.id, tryNo)) {
      answers[q.id] = { kind: 'free_text', text: `Answer ${this.handedIn} to ${q.id}` };
      await saveAnswer(this.db, attempt, { quiz_id: this.quiz.id, try_no: tryNo, question_id: q.id }, answers[q.id] as Answer, 'Answered');
    }
    await submitQuiz(this.db, attempt, this.quiz, tryNo, answers);
  }

  private outbox = async (): Promise<Entry[]> => (await this.db.outbox.orderBy('n').toArray()).map(entryToShow);
  /** Sends what can be sent, and looks at what is asked. */
  async send(): Promise<void> {
    await this.device.send();
    await this.requireDifference();
  }
  /** No question whose two sides say the same is put, or stays. */
  private async requireDifference(): Promise<void> {
    const all = await this.outbox();
    for (const entry of all.filter((e) => e.state === 'needs-person')) {
      const sides = sidesOf(entry, all);
      const bare = (label: string | undefined) => label?.replace(/^(Mine|Theirs) counts: /, '').replace(/, as (I|they) noted it$/, '');
      if (sides?.keepMine && bare(sides.keepMine) === bare(sides.keepTheirs))
        this.wrong.push(`both sides of ${entry.trouble?.code} say “${bare(sides.keepTheirs)}”, and the person is asked`);
    }
  }
  /** Sends, and takes one of the choices that are offered about one entry. Returns whether nothing waits any more. */
  async settle(): Promise<boolean> {
    await this.send();
    const all = await this.outbox();
    const asked = all.filter((e) => e.state === 'needs-person');
    if (asked.length > 0) await this.choose(this.pick(asked));
    return all.length === 0;
  }
  private async choose(entry: Entry): Promise<void> {
    const { code = '', resolution = [] } = entry.trouble ?? {};
    const offered: Choice[] = [
      ...(resolution.includes('keep_mine') ? (['mine'] as const) : []),
      ...(resolution.includes('keep_theirs') ? (['theirs'] as const) : []),
      ...(resolution.includes('new_try') ? (['new-try'] as const) : []),
    ];
    this.asked.push(code);
    const all = await this.outbox();
    const promised = promises[code as keyof typeof promises];
    if (!promised || offered.length === 0) {
      this.wrong.push(`nobody promises anything about ${code} of ${entry.command}`);
      for (const e of [entry, ...goingWith(entry, all)]) this.named.add(e.id);
      return setAside(this.db, entry);
    }
    const choice = this.pick(offered);
    const what = promised[choice];
    if (!what) this.wrong.push(`${choice} is offered for ${code}, and promises nothing`);
    const going = goingWith(entry, all);
    const last = [entry, ...going].filter((e) => e.command === entry.command).at(-1) as Entry;
    if (choice !== 'new-try') {
      const words = asideWith(entry, all);
      if (going.length > 0 && !going.slice(0, 5).every((e) => words?.includes(e.sentence)))
        this.wrong.push(`what goes with ${entry.command} is not said`);
    }
    this.named.add(entry.id);
    if (choice === 'theirs') for (const e of going) this.named.add(e.id);
    const before = await this.truthAbout(entry);
    // What the other device did since the question was put was not in it: the person is asked about that, and nothing is overwritten unseen.
    const wasShown = same(this.shownIn(entry), before);
    if (choice === 'new-try' && !(await costOf(this.db, entry))?.startsWith('A new try is try ')) this.wrong.push('what a new try costs is not said');
    await { mine: keepMine, theirs: keepTheirs, 'new-try': sendAsNewTry }[choice](this.db, entry);
    const left = (await this.outbox()).filter((e) => e.state === 'needs-person').map((e) => e.id);
    for (let i = 0; i < 4; i++) await this.send();
    const after = await this.truthAbout(entry);
    const again = (await this.outbox()).find((e) => e.lane === entry.lane && e.state === 'needs-person' && !left.includes(e.id));
    if (again && wasShown) this.wrong.push(`after ${choice} of ${code} the person is asked again: ${again.trouble?.code}`);
    const said = (...words: unknown[]) =>
      this.wrong.push(`${choice} of ${code} promised that ${what}: ${words.map((w) => JSON.stringify(w)).join(' ')}`);
    if ((what === 'the server’s counts, for good' || what === 'nothing is added') && !same(before, after)) said(before, after);
    // The last may still wait, behind another question about the same thing.
    const received = (await this.outbox()).every((e) => e.id !== last.id);
    if (what === 'the last of this device counts' && wasShown && !again && received) this.requireMine(last, after, said);
    if (what === 'one more try on the questions that were shown' && !(again && !wasShown)) {
      const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
      const [was, is] = [before, after] as [Attempt['submissions'], Attempt['submissions']];
      const added = is.filter((s) => !was.some((b) => b.id === s.id));
      const shown = args.shown ?? { attempt_id: placeOfLane(entry.lane).id, try_no: args.try_no };
      const questions = drawQuestions(this.quiz, shown.attempt_id, shown.try_no).map((q) => q.id);
      if (
        added.length !== 1 ||
        !same(
          added[0]?.outcomes.map((o) => o.question_id),
          questions,
        )
      )
        said(added, questions);
    }
  }
  private requireMine(last: Entry, after: unknown, said: (...words: unknown[]) => void): void {
    if (last.command === 'register.mark') {
      const { presence, outcome, note, arrived } = last.args as ArgsOf<typeof last.command>;
      const now = after as MarkArgs | null;
      if (now?.presence !== presence || now.outcome !== outcome || now.note !== note || now.arrived !== arrived) said(last.args, now);
    } else if (last.command === 'observation.decide') {
      if ((after as { outcome?: string } | null)?.outcome !== (last.args as ArgsOf<typeof last.command>).outcome) said(last.args, after);
    } else if (last.command === 'attempt.scorm_resume' && after !== (last.args as ArgsOf<typeof last.command>).session_id) said(last.args, after);
  }
  /** What the server says of the matter of an entry. */
  private async truthAbout(entry: Entry): Promise<unknown> {
    if (entry.command === 'register.mark') return this.partOf(entry, await this.register());
    if (entry.command === 'observation.decide') return this.partOf(entry, await this.certificateNow());
    return this.partOf(
      entry,
      (await this.attempts()).find((a) => a.id === placeOfLane(entry.lane).id),
    );
  }
  /** What the question itself says of its matter, which may be older. */
  private shownIn(entry: Entry): unknown {
    return this.partOf(entry, entry.trouble?.current);
  }
  private partOf(entry: Entry, thing: unknown): unknown {
    if (entry.command === 'register.mark') {
      const { delegate_id } = entry.args as ArgsOf<typeof entry.command>;
      const delegate = (thing as Register | undefined)?.delegates.find((d) => d.id === delegate_id || d.also.includes(delegate_id));
      return delegate ? currentMark(delegate) : null;
    }
    if (entry.command === 'observation.decide') {
      const { criterion } = entry.args as ArgsOf<typeof entry.command>;
      return (thing as CareCertificate | undefined)?.decisions.find((d) => d.criterion === criterion) ?? null;
    }
    const attempt = thing as Attempt | null | undefined;
    if (entry.command === 'attempt.scorm_resume') return attempt?.scorm.find((i) => i.item_id === item.id)?.resume ?? null;
    return attempt?.submissions ?? [];
  }

  /** What was noted last here of each delegate, and decided last of each criterion. */
  async last(): Promise<{ marks: Said<MarkArgs>[]; decisions: Said<string>[] }> {
    const shown = [...(await this.db.settled.toArray()), ...(await this.db.outbox.toArray())].map((e) => ({ ...e }) as Entry);
    const entries = shown.filter((e) => !this.named.has(e.id)).sort((a, b) => a.n - b.n);
    const lastOf = <C extends 'register.mark' | 'observation.decide', T>(command: C, aboutOf: (a: ArgsOf<C>) => string, of: (a: ArgsOf<C>) => T) => {
      const own = entries.filter((e) => e.command === command);
      return [...Map.groupBy(own, (e) => aboutOf(e.args as ArgsOf<C>))].map(([about, said]) => ({
        about,
        said: of(said.at(-1)?.args as ArgsOf<C>),
        isAsked: said.some((e) => e.state === 'needs-person'),
      }));
    };
    return {
      marks: lastOf(
        'register.mark',
        (a) => a.delegate_id,
        (a): MarkArgs => a,
      ),
      decisions: lastOf(
        'observation.decide',
        (a) => a.criterion,
        (a) => a.outcome as string,
      ),
    };
  }
  /** What this device has seen, and forgets it. */
  async end(): Promise<Report> {
    const settled = (await this.db.settled.toArray()).map((row) => {
      const { id, command, args, at, lane, outcome } = { ...row };
      return { id, command, args, at, thing: placeOfLane(lane).id, outcome, isNamed: this.named.has(id) };
    });
    const left = await this.db.outbox.count();
    await this.device.forget();
    return { wrong: this.wrong, asked: this.asked, settled, left };
  }
}

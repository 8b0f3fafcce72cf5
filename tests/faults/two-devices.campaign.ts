import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { CareCertificate, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import type { Delegate, MarkArgs, Register } from '#contract/entities/training-session.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { requiredTopics } from '#contract/rules/completion.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { currentMark } from '#contract/rules/register.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql, word } from '#server/db/sql.ts';
import { recordProgress, saveAnswer, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { commitScorm, recordH5p } from '#src/offline/kinds/attempt/package-commands.ts';
import { amendObservation, noteServerCertificate, recordObservation, signRecord } from '#src/offline/kinds/certificate/commands.ts';
import { asideWith, costOf, sidesOf } from '#src/offline/kinds/explain.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { addWalkIn, completeRegister, markDelegate, noteServerRegister, signMark } from '#src/offline/kinds/register/commands.ts';
import { type Choice, promises } from '#src/offline/kinds/promises.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { goingWith, keepMine, keepTheirs, sendAsNewTry, setAside } from '#src/offline/outbox/resolve.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { AttemptRow } from '#src/offline/store/person-db.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { type InjectServer, startInjectServer } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { TestClient } from '#tests/support/test-app.ts';

/**
 * Two devices of one learner, two trainers of one register and two assessors of one certificate work without a connection, and send in
 * random order. Then each choice that the sync centre offers is taken, and its outcome compared with what its words promise. The second
 * device is a client of the API with the same commands: what it sends first is what the first one did not know.
 */
const content = demoId('content:fire-safety');
const course = { id: demoId('course:Fire safety'), title: 'Fire safety' };
const item = { id: 'sco', title: 'A package' };
const criteria = ['1.1a', '1.1b'] as const;
const checkInKey = 'what the codes are computed from';
/** The day whose sessions one can check in to for the next half hour, whenever this runs. */
const openDay = () => dayIn(new Date(Date.now() + 30 * 60_000), defaultTimeZone);
let server: InjectServer;
let asked = 0;
let chosen = 0;
const kindsAsked = new Map<string, number>();

/** Two marks that cannot both be true. Written apart from the product’s own rule. */
const contradict = (a: MarkArgs, b: MarkArgs): boolean =>
  a.presence !== b.presence ||
  (a.outcome !== null && b.outcome !== null && a.outcome !== b.outcome) ||
  (!!a.arrived && !!b.arrived && a.arrived !== b.arrived);

class History {
  readonly wrong: string[] = [];
  readonly random: () => number;
  readonly tablet: RealDevice;
  private readonly other: TestClient;
  private readonly colleague: TestClient;
  private me = { uuid: '', name: 'Trainer' };
  private document!: ContentDocument;
  private readonly certificate = { id: randomUUID(), user: { name: 'Observed' } };
  private readonly session = randomUUID();
  private readonly now = randomUUID();
  private observed = '';
  /** Entries that a choice named, by id. */
  private readonly named = new Set<string>();
  /** What the other device says last of each delegate and criterion. */
  private readonly lastThere = new Map<string, { id: string; mark?: MarkArgs }>();
  private resumedThere: string | null = null;
  private scorm: { id: string; ticks: number } | null = null;
  private triesThere = 0;
  private handedIn = 0;
  private begunThere = false;
  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.tablet = new RealDevice(server.line);
    this.other = new TestClient(server.app);
    this.colleague = new TestClient(server.app);
  }
  private chance(p: number) {
    return this.random() < p;
  }
  private pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)] as T;
  }
  private get db() {
    return this.tablet.db;
  }
  async begin(): Promise<void> {
    const { db } = server.database;
    const person = await server.newLearner('trainer@willowbrook.test');
    const second = await server.newLearner('trainer@willowbrook.test');
    const learners = [await server.newLearner(), await server.newLearner()];
    this.observed = (learners[0] as { id: string }).id;
    await db.run(
      sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${this.certificate.id}, ${this.observed}, ${person.id}, now())`,
    );
    for (const [id, day, from, until] of [
      [this.session, dayIn(new Date(), defaultTimeZone), '09:00', '12:00'],
      [this.now, openDay(), '00:00', '23:59:59'],
    ] as const)
      await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, grading_method, created_by, created_at)
        select ${id}, primary_entity_id, ${course.id}, id, ${day}::date, ${from}, ${until}, 'Hall', '', '', 'practical', id, now() from users where id = ${person.id}`);
    for (const learner of learners)
      await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
        values (gen_random_uuid(), ${this.session}, ${learner.id}, 'Somebody', ${person.id}, now())`);
    await db.run(sql`update check_in_keys set key = ${checkInKey} where session_id = ${this.now}`);
    await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
      values (gen_random_uuid(), ${this.now}, ${person.id}, 'Trainer', ${second.id}, now())`);
    const signedIn = await this.tablet.signIn(person.email);
    await this.tablet.open(signedIn);
    await this.other.signIn(person.email);
    await this.colleague.signIn(second.email);
    this.me = { uuid: person.id, name: 'Trainer' };
    this.document = await this.tablet.document(content);
    await this.db.contents.put({ id: content, version: this.document.version, document: this.document, kept_at: '' });
    await noteServerRegister(this.db, await this.register());
    await noteServerCertificate(this.db, await this.certificateNow());
    if (this.chance(0.3)) await this.completeLastYear();
    await this.tablet.begin(this.document);
  }
  private async read<T>(path: string): Promise<T> {
    return (await this.other.json<{ data: T }>('GET', path)).body.data;
  }
  private register = () => this.read<Register>(`/training-sessions/${this.session}`);
  private certificateNow = () => this.read<CareCertificate>(`/care-certificates/${this.certificate.id}`);
  private attempts = () => this.read<Attempt[]>(`/users/${this.me.uuid}/attempts?content_id=${content}`);
  private get quiz() {
    return this.document.quizzes[0] as ContentDocument['quizzes'][number];
  }
  /** The attempt that is open on the tablet. */
  private async here(): Promise<AttemptRow> {
    const rows = (await this.db.attempts.toArray()).filter((a) => a.user_id === this.me.uuid && !a.closed);
    return rows.sort((a, b) => b.try_no - a.try_no)[0] as AttemptRow;
  }

  /** One thing done on the tablet. */
  async doHere(): Promise<void> {
    const attempt = await this.here();
    const register = (await this.db.registers.get(this.session)) as Register;
    const delegate = this.pick(register.delegates.filter((d) => d.user !== null));
    const drawn = { method: 'drawn', drawing: 'M10 10L20 20' } as const;
    const ways: (() => Promise<unknown>)[] = [
      () => markDelegate(this.db, this.me, register, delegate, this.mark()),
      () => markDelegate(this.db, this.me, register, delegate, this.mark()),
      async () => {
        const mark = currentMark(delegate);
        if (mark) await signMark(this.db, this.me, register, delegate, { mark_id: mark.id, ...drawn });
      },
      async () => {
        const id = await addWalkIn(this.db, this.me, register, { user_id: null, name: 'Sunny', note: '' });
        const now = (await this.db.registers.get(this.session)) as Register;
        const came = now.delegates.find((d) => d.id === id) as Delegate;
        if (this.chance(0.5)) await signMark(this.db, this.me, now, came, { mark_id: currentMark(came)?.id as string, ...drawn });
      },
      () => completeRegister(this.db, this.me, register, { note: '', ...drawn }),
      () => this.observe(),
      () => this.observe(),
      () => recordProgress(this.db, attempt, this.pick(requiredTopics(this.document)), this.chance(0.7) ? 'completed' : 'started', 100, 5),
      () => this.handIn(attempt),
      async () => {
        if (!this.scorm || this.chance(0.4)) this.scorm = { id: randomUUID(), ticks: 0 };
        const ticks = ++this.scorm.ticks;
        const facts = { ticks, seconds: ticks * 7, completion: 'incomplete', success: 'unknown', score: null, percent: ticks, cmi: {} } as const;
        await commitScorm(this.db, { attempt, item }, this.scorm.id, facts);
      },
      () => recordH5p(this.db, { attempt, item: { id: 'h5p', title: 'An activity' } }, [this.statement()], randomUUID()),
      () => this.tablet.write({ id: this.observed, name: 'Observed' }),
      () => this.tablet.say(this.document),
      () => this.tablet.submit(course, 20),
      () => this.tablet.checkIn(this.now, checkInKey),
    ];
    await this.pick(ways)();
  }
  private statement = () => ({ id: randomUUID(), at: new Date().toISOString(), verb: 'answered', statement: {} });
  private mark = (): MarkArgs => ({
    presence: this.chance(0.75) ? 'present' : 'absent',
    ...{ arrived: this.chance(0.2) ? '09:30' : null, left: null, note: this.chance(0.2) ? `Noted ${Math.floor(this.random() * 1000)}` : '' },
    outcome: this.chance(0.5) ? null : this.chance(0.5) ? 'passed' : 'not_yet',
  });
  private recordOf = (criterion: string, outcome: 'met' | 'not_yet_met'): ObservationRecord => ({
    ...{ done_at: new Date().toISOString(), method: 'observation', setting: '', seen: `Seen ${Math.floor(this.random() * 1000)}`, feedback: '' },
    criteria: [{ criterion, outcome, action: null, due: null }],
  });
  private async observe(): Promise<void> {
    const record = this.recordOf(this.pick(criteria), this.chance(0.5) ? 'met' : 'not_yet_met');
    let about = await recordObservation(this.db, this.me, this.certificate, record);
    if (this.chance(0.2)) about = await amendObservation(this.db, this.me, this.certificate, about, 'A slip', record);
    if (this.chance(0.4)) {
      const signed = { signer: 'assessor', method: 'drawn', drawing: 'M10 10L20 20', agrees: null, comment: '' } as const;
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

  /** Sends changes of the other device, or of the colleague. What is refused there is that device’s question. */
  private async send(path: string, changes: { command: string; args: object; id?: string; at?: string }[], by = this.other): Promise<boolean> {
    const at = new Date().toISOString();
    const { status } = await by.json('PATCH', path, { changes: changes.map((c) => ({ id: randomUUID(), version: 1, at, ...c })) });
    return status === 200;
  }
  /** The same course, completed on the other device a year ago. */
  private async completeLastYear(): Promise<void> {
    const id = await attemptIdOf(this.me.uuid, content, 1);
    const at = new Date(Date.now() - 300 * 86_400_000).toISOString();
    const done = requiredTopics(this.document).map((t) => ({
      ...{ command: 'attempt.progress', at },
      args: { topic_id: t.id, state: 'completed', percent: 100, seconds: { there: 1 } },
    }));
    await this.send(`/attempts/${id}`, [
      { command: 'attempt.start', at, args: { content_id: content, content_version: this.document.version } },
      ...done,
    ]);
    const { db } = server.database;
    // Passed by the answers that the server has the keys of.
    await db.run(sql`update attempts set state = 'graded', passed = true, percent = 100, completed_at = ${at} where id = ${id}`);
  }
  /** One thing done on the other device, and received. */
  async doThere(): Promise<void> {
    const ways: (() => Promise<unknown>)[] = [
      async () => {
        const register = await this.register();
        const delegate = this.pick(register.delegates.filter((d) => d.user !== null));
        const by = this.chance(0.5) ? this.other : this.colleague;
        const mark = this.mark();
        const id = randomUUID();
        const args = { delegate_id: delegate.id, ...mark, instead_of: currentMark(delegate)?.id ?? null };
        if (await this.send(`/training-sessions/${this.session}/register`, [{ id, command: 'register.mark', args }], by))
          this.lastThere.set(delegate.id, { id, mark });
      },
      async () => {
        const criterion = this.pick(criteria);
        const outcome = this.chance(0.5) ? 'met' : 'not_yet_met';
        const now = (await this.certificateNow()).decisions.find((d) => d.criterion === criterion);
        const id = randomUUID();
        const record = { id, command: 'observation.record', args: this.recordOf(criterion, outcome) };
        const args = { criterion, outcome, observation_id: id, instead_of: now?.id ?? null };
        await this.send(`/care-certificates/${this.certificate.id}`, [record, { command: 'observation.decide', args }], this.colleague);
      },
      async () => {
        const id = await this.startThere();
        const session_id = randomUUID();
        const facts = { ticks: 1, seconds: 60, completion: 'incomplete', success: 'unknown', score: null, percent: 40, cmi: {} };
        const args = { item_id: item.id, session_id, instead_of: this.resumedThere };
        if (
          await this.send(`/attempts/${id}`, [
            { command: 'attempt.scorm_commit', args: { item_id: item.id, session_id, ...facts } },
            { command: 'attempt.scorm_resume', args },
          ])
        )
          this.resumedThere = session_id;
      },
      async () => {
        const id = await this.startThere();
        const args = { quiz_id: this.quiz.id, try_no: this.triesThere + 1, content_version: this.document.version, answers: {} };
        if (await this.send(`/attempts/${id}`, [{ command: 'attempt.submit_quiz', args }])) this.triesThere++;
      },
    ];
    await this.pick(ways)();
  }
  /** The attempt that is open on the server, begun on the other device if there is none. */
  private async startThere(): Promise<string> {
    const open = (await this.attempts()).filter((a) => !a.closed && a.state !== 'graded').sort((a, b) => b.try_no - a.try_no)[0];
    if (open) return open.id;
    const [newest] = (await this.attempts()).sort((a, b) => b.try_no - a.try_no);
    const id = await attemptIdOf(this.me.uuid, content, (newest?.try_no ?? 0) + 1);
    if (!this.begunThere) this.begunThere = true;
    await this.send(`/attempts/${id}`, [{ command: 'attempt.start', args: { content_id: content, content_version: this.document.version } }]);
    return id;
  }

  private outbox = async (): Promise<Entry[]> => (await this.db.outbox.orderBy('n').toArray()).map(entryToShow);
  /** Takes one of the choices offered about an entry, and compares what comes of it with its words. */
  async choose(entry: Entry): Promise<void> {
    const { code = '', resolution = [] } = entry.trouble ?? {};
    const offered: Choice[] = [
      ...(resolution.includes('keep_mine') ? (['mine'] as const) : []),
      ...(resolution.includes('keep_theirs') ? (['theirs'] as const) : []),
      ...(resolution.includes('new_try') ? (['new-try'] as const) : []),
    ];
    asked++;
    kindsAsked.set(code, (kindsAsked.get(code) ?? 0) + 1);
    const all = await this.outbox();
    const promised = promises[code as keyof typeof promises];
    if (!promised || offered.length === 0) {
      this.wrong.push(`nobody promises anything about ${code} of ${entry.command}`);
      for (const e of [entry, ...goingWith(entry, all)]) this.named.add(e.id);
      return setAside(this.db, entry);
    }
    const sides = sidesOf(entry, all);
    if (sides && sides.keepMine?.replace('Mine', '') === sides.keepTheirs.replace('Theirs', ''))
      this.wrong.push(`both sides of ${code} say “${sides.keepTheirs}”`);
    const choice = this.pick(offered);
    const what = promised[choice];
    if (!what) this.wrong.push(`${choice} is offered for ${code}, and promises nothing`);
    chosen++;
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
    if (choice === 'new-try' && !(await costOf(this.db, entry))?.startsWith('A new try is try ')) this.wrong.push('what a new try costs is not said');
    await { mine: keepMine, theirs: keepTheirs, 'new-try': sendAsNewTry }[choice](this.db, entry);
    const left = (await this.outbox()).filter((e) => e.state === 'needs-person').map((e) => e.id);
    // What the other device did since the question was put was not in it: the person is asked about that, and nothing is overwritten unseen.
    const wasShown = JSON.stringify(before) === JSON.stringify(this.shownIn(entry, before));
    for (let i = 0; i < 4; i++) await this.tablet.send();
    const after = await this.truthAbout(entry);
    const again = (await this.outbox()).find((e) => e.lane === entry.lane && e.state === 'needs-person' && !left.includes(e.id));
    if (again && wasShown) this.wrong.push(`after ${choice} of ${code} the person is asked again: ${again.trouble?.code}`);
    const said = (...words: unknown[]) =>
      this.wrong.push(`${choice} of ${code} promised that ${what}: ${words.map((w) => JSON.stringify(w)).join(' ')}`);
    if (what === 'the server’s counts, for good' && JSON.stringify(before) !== JSON.stringify(after)) said(before, after);
    if (what === 'nothing is added' && JSON.stringify(before) !== JSON.stringify(after)) said(before, after);
    // The last may still wait, behind another question about the same thing.
    const received = (await this.outbox()).every((e) => e.id !== last.id);
    if (what === 'the last of this device counts' && !again && received) this.requireMine(last, after, said);
    if (what === 'one more try on the questions that were shown' && !(again && !wasShown)) {
      const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
      const [was, is] = [before, after] as [Attempt['submissions'], Attempt['submissions']];
      const added = is.filter((s) => !was.some((b) => b.id === s.id));
      const shown = args.shown ?? { attempt_id: placeOfLane(entry.lane).id, try_no: args.try_no };
      const questions = drawQuestions(this.quiz, shown.attempt_id, shown.try_no).map((q) => q.id);
      if (added.length !== 1 || JSON.stringify(added[0]?.outcomes.map((o) => o.question_id)) !== JSON.stringify(questions)) said(added, questions);
    }
  }
  /** What the question said of the matter, in the form of `truth`, for kinds in which it may be older than the server’s. */
  private shownIn(entry: Entry, truth: unknown): unknown {
    const current = entry.trouble?.current as Attempt | null | undefined;
    if (entry.command === 'attempt.scorm_resume') return current?.scorm.find((i) => i.item_id === item.id)?.resume ?? null;
    if (entry.command === 'attempt.submit_quiz') return current?.submissions ?? [];
    return truth;
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
    if (entry.command === 'register.mark') {
      const { delegate_id } = entry.args as ArgsOf<typeof entry.command>;
      const delegate = (await this.register()).delegates.find((d) => d.id === delegate_id || d.also.includes(delegate_id));
      return delegate ? currentMark(delegate) : null;
    }
    if (entry.command === 'observation.decide') {
      const { criterion } = entry.args as ArgsOf<typeof entry.command>;
      return (await this.certificateNow()).decisions.find((d) => d.criterion === criterion) ?? null;
    }
    const attempt = (await this.attempts()).find((a) => a.id === placeOfLane(entry.lane).id);
    if (entry.command === 'attempt.scorm_resume') return attempt?.scorm.find((i) => i.item_id === item.id)?.resume ?? null;
    return attempt?.submissions ?? [];
  }

  /** Sends and chooses until nothing waits. */
  async drain(): Promise<void> {
    for (let i = 0; i < 30; i++) {
      await this.tablet.send();
      const all = await this.outbox();
      if (all.length === 0) return;
      const [needs] = all.filter((e) => e.state === 'needs-person');
      if (needs) await this.choose(needs);
    }
    this.wrong.push(`${(await this.outbox()).length} entries did not leave the device`);
  }
  /** Two devices that did not know of each other, whose last words contradict, must have been asked about. */
  async requireAsked(): Promise<void> {
    const entries = [...(await this.db.settled.toArray()), ...(await this.db.outbox.toArray())].map((e) => ({ ...e }) as Entry);
    for (const [delegate, { mark }] of this.lastThere) {
      const mine = entries
        .filter((e) => e.command === 'register.mark' && (e.args as ArgsOf<'register.mark'>).delegate_id === delegate)
        .sort((a, b) => a.n - b.n);
      const last = mine.at(-1);
      if (!last || !mark) continue;
      const isAsked = mine.some((e) => e.state === 'needs-person');
      const must = contradict(last.args as ArgsOf<'register.mark'>, mark);
      if (must && !isAsked) this.wrong.push(`${JSON.stringify(last.args)} took the place of ${JSON.stringify(mark)}, and nobody was asked`);
      if (!must && isAsked) this.wrong.push(`${JSON.stringify(last.args)} and ${JSON.stringify(mark)} agree, and somebody was asked`);
    }
  }
  /** Everything that the server acknowledged is there, and nothing was set aside that no choice named. */
  async compare(): Promise<void> {
    const { db } = server.database;
    const has = async (table: string, id: string) => (await db.one(sql`select 1 as x from ${word(table)} where id = ${id}`)) !== undefined;
    const tables: Partial<Record<Entry['command'], string>> = {
      ...{ 'observation.record': 'observations', 'observation.correct': 'observations', 'observation.sign': 'observation_signatures' },
      ...{ 'register.mark': 'register_marks', 'register.walk_in': 'session_delegates', 'register.sign': 'register_signatures' },
      ...{ 'register.complete': 'register_completions', 'message.send': 'messages', 'feedback.rate': 'feedback', 'feedback.ask': 'feedback' },
      ...{ 'feedback.report': 'feedback', 'submission.add': 'results', 'attempt.submit_quiz': 'quiz_submissions' },
    };
    const attempts = await this.attempts();
    for (const row of await this.db.settled.toArray()) {
      const entry = { ...row };
      if (entry.outcome === 'discarded') {
        if (!this.named.has(entry.id) && entry.command !== 'check_in.make') this.wrong.push(`${entry.command} was set aside, and no choice named it`);
        continue;
      }
      const table = tables[entry.command];
      if (table && !(await has(table, entry.id))) this.wrong.push(`${entry.command} was acknowledged and is not in ${table}`);
      const attempt = attempts.find((a) => a.id === placeOfLane(entry.lane).id);
      if (entry.command === 'attempt.progress') {
        const { topic_id, seconds } = entry.args as ArgsOf<typeof entry.command>;
        const there = attempt?.progress.find((p) => p.topic_id === topic_id);
        if (!there || Object.entries(seconds).some(([device, n]) => (there.seconds[device] ?? 0) < n))
          this.wrong.push('a page was acknowledged and is not there');
        if (attempt?.completed_at && Date.parse(attempt.completed_at) < Date.now() - 86_400_000)
          this.wrong.push('a page of today is in last year’s try');
      }
      if (entry.command === 'attempt.scorm_commit') {
        const { session_id } = entry.args as ArgsOf<typeof entry.command>;
        if (!attempt?.scorm.some((i) => i.sessions.some((s) => s.session_id === session_id)))
          this.wrong.push('a package session was acknowledged and is not there');
      }
    }
  }
}

export const campaign: Campaign = {
  name: 'two-devices',
  runs: { ci: 25, demand: 100_000 },
  prepare: async () => {
    server = await startInjectServer();
    // Each try draws from a pool.
    await server.database.db.run(sql`update content_versions set document = jsonb_set(document, '{quizzes,0}',
      (document -> 'quizzes' -> 0) || '{"is_randomized": true, "question_qty": 3, "max_tries": 3}') where content_id = ${content}`);
  },
  once: async (seed) => {
    const history = new History(seed);
    await history.begin();
    // In half of the histories the tablet hears nothing until the end.
    const apart = history.random() < 0.5;
    const steps = 6 + Math.floor(history.random() * 14);
    for (let i = 0; i < steps; i++) {
      const dice = history.random();
      if (dice < 0.6) await history.doHere();
      else if (dice < 0.9 || apart) await history.doThere();
      else await history.tablet.send();
    }
    if (apart) {
      await history.tablet.send();
      await history.tablet.send();
      await history.requireAsked();
    }
    await history.drain();
    await history.compare();
    await history.tablet.forget();
    return history.wrong;
  },
  facts: () => `${asked} questions, ${chosen} choices: ${[...kindsAsked].map(([code, n]) => `${code} ${n}`).join(', ')}`,
  finish: () => server.close(),
};

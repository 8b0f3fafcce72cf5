import { joinProgress } from '#src/offline/kinds/attempt/join.ts';
import { mayMerge, mergeEntry } from '#src/offline/outbox/merge-entry.ts';
import { chooseSendable, nextSendableAt, othersCouldGo } from '#src/offline/outbox/choose-sendable.ts';
import type { Result } from '#src/api/transport.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Answer, Entry, Greeting, Ports } from '#src/offline/ports.ts';
import { answerOf, laterOrSignIn } from '#src/offline/replay/answer.ts';
import { createReplay, entriesAtOnce, heavyAtOnce } from '#src/offline/replay/replay.ts';
import type { PartialSend } from '#src/offline/kinds/lane.ts';
import { observe, type SignArgs, sign } from '#tests/faults/simulation/deeds.ts';
import { ModelServer, tokensOf } from '#tests/faults/simulation/model-server.ts';
import { type Actor, randomFrom, Scheduler } from '#tests/faults/simulation/scheduler.ts';

/**
 * Two devices with two tabs each, forty actions per device, two people on the first, one server: courses continued, quizzes submitted,
 * observations with their decisions and files, signatures of them. And every fault that has been seen in a connection, a clock, a tab, a browser, a disk or a
 * server. The engine is the real one; its environment is a model, so that a seed replays a whole history in milliseconds.
 */
const day = 86_400_000;
const bornAt = 1_700_000_000_000;
const leaseMs = 60_000;
const faultsUntil = 40 * 60_000;
const end = faultsUntil + 90 * 60_000;
/** An entry that can never be sent is tried for an hour first. */
const endWhereStuck = end + 120 * 60_000;
const writesPerDevice = 40;
/** Time spent on one file before other entries get a turn. */
const turnMs = 5000;

type Settled = Entry & { outcome: 'applied' | 'late' | 'discarded' };
/** One person's data on a device's disk: the database and the second journal. */
class Store {
  readonly outbox = new Map<number, Entry>();
  readonly settled = new Map<string, Settled>();
  journal = new Map<string, Entry>();
  counter = 0;
  /** When the server last received something from here, by the device's clock. */
  receivedAt = 0;
  /** The current decision for each criterion known here, by lane. */
  decided = new Map<string, string>();
  /** Acknowledged entries lost here with the database: if the server forgets them too, no witness remains. */
  readonly archiveLost = new Set<string>();
  all(): Entry[] {
    return [...this.outbox.values()].sort((a, b) => a.n - b.n);
  }
  byId(id: string): Entry | undefined {
    return [...this.outbox.values()].find((e) => e.id === id);
  }
  /** Loses the database, and restores it from the journal as the next start does. */
  loseAndRecover(): void {
    const before = new Map(this.journal);
    this.outbox.clear();
    for (const entry of this.settled.values()) for (const token of tokensOf(entry)) this.archiveLost.add(token);
    this.settled.clear();
    this.decided.clear();
    for (const entry of [...before.values()].sort((a, b) => a.n - b.n)) this.outbox.set(entry.n, { ...entry });
    this.counter = Math.max(0, ...this.outbox.keys());
  }
}
type Tab = Actor & { device: Device; replay: ReturnType<typeof createReplay> | null; person: string; name: string };
type Device = {
  name: string;
  stores: Map<string, Store>;
  person: string;
  clockOff: number;
  tabs: Tab[];
  lock: { tab: Tab; beatAt: number } | null;
  reachable: boolean;
};
/** Fields common to entries created at the same time. */
type Base = Pick<Entry, 'version' | 'actor' | 'actingAs' | 'at' | 'skewMs' | 'state' | 'tries' | 'nextAt' | 'trouble'>;
const isFile = (lane: string) => lane.startsWith('evidence:');
type Write = { token: string; person: string; device: string; entry: string };
export type Violation = string;
const breaks = (e: Entry) => (e.args as { breaks?: boolean }).breaks === true;

export class World {
  readonly violations: Violation[] = [];
  readonly acknowledged: Write[] = [];
  private readonly random: () => number;
  private readonly scheduler: Scheduler;
  private readonly server = new ModelServer();
  private readonly devices: Device[] = [];
  private readonly self: Actor = { alive: true, frozenUntil: 0 };
  private faults = true;
  private serverUp = true;
  private ids = 0;
  private mayBreak: boolean;
  private broke = false;
  /** Number of files that a tab is sending. */
  private readonly files = new Map<Tab, number>();

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.mayBreak = seed % 5 === 0;
    this.scheduler = new Scheduler(this.random);
    for (const name of ['A', 'B']) {
      const device: Device = { name, stores: new Map(), person: `p-${name}`, clockOff: 0, tabs: [], lock: null, reachable: true };
      this.devices.push(device);
      this.server.sessions.set(name, device.person);
      for (let i = 0; i < 2; i++) this.openTab(device, `${name}${i}`);
    }
    // Two devices of one person, whose changes are in the same lanes.
    const [a, b] = this.devices as [Device, Device];
    b.person = a.person;
    this.server.sessions.set('B', a.person);
    for (const tab of b.tabs) tab.person = a.person;
  }

  private chance(p: number): boolean {
    return this.random() < p;
  }
  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
  private wrong(text: string): void {
    this.violations.push(`${text} (at ${Math.round(this.scheduler.now)} ms)`);
  }
  private storeOf(device: Device, person: string): Store {
    const kept = device.stores.get(person) ?? new Store();
    device.stores.set(person, kept);
    return kept;
  }

  // ── A tab and its engine ────────────────────────────────────────────────────────────────────────────────────────

  private openTab(device: Device, name: string): Tab {
    const tab: Tab = { alive: true, frozenUntil: 0, device, replay: null, person: device.person, name };
    device.tabs.push(tab);
    tab.replay = createReplay(this.portsFor(tab));
    void this.tabLoop(tab);
    return tab;
  }

  /** Keeps a tab sending like the app: every half minute while something waits. */
  private async tabLoop(tab: Tab): Promise<void> {
    let greetedAt = 0;
    while (tab.alive) {
      if (this.scheduler.now - greetedAt > 15 * 60_000) {
        greetedAt = this.scheduler.now;
        tab.replay?.greetAgain();
      }
      await tab.replay?.run();
      // As in the app, the timer runs only while something waits.
      const busy = this.storeOf(tab.device, tab.person).outbox.size > 0;
      await this.scheduler.pause(tab, (busy ? 1000 : 120_000) + this.random() * 30_000);
    }
  }

  private portsFor(tab: Tab): Ports {
    const { device, person } = tab;
    const step = () => this.scheduler.pause(tab, this.random() * 5);
    /** One atomic transaction; the tab may die before or after it. */
    const transaction = async <T>(work: (store: Store) => T): Promise<T> => {
      await step();
      const result = work(this.storeOf(device, person));
      await step();
      return result;
    };
    const now = () => bornAt + this.scheduler.now + device.clockOff;
    return {
      store: {
        owner: person,
        noteFailing: (ids, at) =>
          transaction((s) => {
            const some = s.all().filter((e) => ids.includes(e.id));
            for (const e of some) e.failing = { since: Math.min(e.failing?.since ?? at, at), times: (e.failing?.times ?? 0) + 1 };
            return some.map((e) => ({ ...e }));
          }),
        othersPass: (lane, since, at) => transaction((s) => s.receivedAt > since || !othersCouldGo(s.all(), lane, at)),
        sendable: (at) =>
          transaction((s) => new Map([...chooseSendable(s.all(), at)].map(([lane, entries]) => [lane, entries.map((e) => ({ ...e }))]))),
        markSending: (ids) =>
          transaction((s) => {
            const all = s.all().filter((e) => ids.includes(e.id));
            const stopped = new Set(all.filter((e) => e.state === 'needs-person').map((e) => e.lane));
            const marked = all.filter((e) => !stopped.has(e.lane));
            for (const e of marked) {
              e.state = 'sending';
              e.tries++;
            }
            return marked.map((e) => ({ ...e, args: structuredClone(e.args) }));
          }),
        settle: (lane, outcomes, attempt) =>
          transaction((s) => {
            const done = new Map(outcomes.filter((o) => o.outcome === 'applied' || o.outcome === 'late').map((o) => [o.id, o.outcome]));
            for (const e of s.all()) {
              if (e.lane !== lane) continue;
              const outcome = done.get(e.id);
              if (outcome) {
                s.outbox.delete(e.n);
                s.settled.set(e.id, { ...e, outcome: outcome as 'applied' });
                s.journal.delete(e.id);
                s.receivedAt = now();
                this.checkProof(e, person);
              } else if (attempt && e.baseRev !== null) e.baseRev = (attempt as { rev: number }).rev;
            }
            // Unsent decisions of this device are kept.
            if (attempt && lane.startsWith('certificate:')) {
              const waiting = s.all().filter((e) => e.command === 'observation.decide');
              for (const [at, id] of (attempt as unknown as { decisions: [string, string][] }).decisions)
                if (!waiting.some((e) => e.lane === at)) s.decided.set(at, id);
            }
          }),
        park: (id, trouble) =>
          transaction((s) => {
            const e = s.byId(id);
            if (!e) return;
            Object.assign(e, { state: 'needs-person', trouble });
            if (trouble.code === 'cannot_be_sent' && !breaks(e)) this.wrong(`${e.id} is called hopeless, and the server does not fail at it`);
            // Its record is here or was received from here, so the person need not be asked.
            const { record } = e.args as Partial<SignArgs>;
            const known = [...s.outbox.values(), ...s.settled.values()].find(
              (o) => o.n < e.n && (o.id === record || (o.command === 'attempt.start' && o.lane === e.lane)),
            );
            if (trouble.code === 'not_found' && known) this.wrong(`${e.id} asks the person about ${known.id}, which is ${known.state} here`);
          }),
        defer: (ids, nextAt) =>
          transaction((s) => {
            for (const e of s.outbox.values()) if (ids.includes(e.id) && e.state !== 'needs-person') Object.assign(e, { state: 'waiting', nextAt });
          }),
        wake: () =>
          transaction((s) => {
            for (const e of s.outbox.values()) if (e.state !== 'needs-person') e.nextAt = 0;
          }),
        nextAt: (at) => transaction((s) => nextSendableAt(s.all(), at)),
      },
      transport: {
        send: async (lane, actor, entries): Promise<Answer> => {
          const sent = entries.map((e) => ({ ...e, args: structuredClone(e.args) }));
          const patch = () => this.cross(tab, () => this.server.patch(device.name, actor, lane, sent));
          if (!isFile(lane)) return answerOf(await patch(), entries, '');
          const under = (this.files.get(tab) ?? 0) + 1;
          this.files.set(tab, under);
          if (under > heavyAtOnce) this.wrong(`${under} files at once from ${tab.name}`);
          const answer = answerOf(await this.sendFile(tab, actor, sent, patch), entries, '');
          this.files.set(tab, (this.files.get(tab) ?? 1) - 1);
          return answer;
        },
        isHeavy: isFile,
        atOnce: (lane) => (isFile(lane) ? 1 : entriesAtOnce),
      },
      greeter: {
        greet: async (): Promise<Greeting> => {
          const ids = await transaction((s) => [...s.settled.values()].filter((e) => e.outcome !== 'discarded').map((e) => e.id));
          let unknown: string[] = [];
          const result = await this.cross(tab, () => {
            const heard = this.server.greet(device.name, person, ids);
            if (!('unknown' in heard)) return heard;
            unknown = heard.unknown;
            return { kind: 'ok', status: 200, data: null as unknown as Attempt, meta: null, headers: new Headers() };
          });
          if (result.kind !== 'ok') return laterOrSignIn(result);
          const again = await transaction((s) => {
            let count = 0;
            for (const id of unknown) {
              const entry = s.settled.get(id);
              if (!entry) continue;
              const { outcome: _, ...rest } = entry;
              const n = s.outbox.has(rest.n) ? ++s.counter : rest.n;
              s.outbox.set(n, { ...rest, n, state: 'waiting', tries: Math.max(1, rest.tries), nextAt: 0, trouble: null });
              s.journal.set(id, { ...rest, n, state: 'waiting', trouble: null });
              s.settled.delete(id);
              count++;
            }
            return count;
          });
          return { kind: 'ok', again };
        },
      },
      clock: { now },
      random: { next: this.random },
      lock: {
        tryHold: async (work) => {
          await step();
          const held = device.lock;
          if (held && held.tab !== tab && held.tab.alive && this.scheduler.now - held.beatAt < leaseMs) return false;
          const mine = { tab, beatAt: this.scheduler.now };
          device.lock = mine;
          await work(async () => {
            mine.beatAt = this.scheduler.now;
          });
          if (device.lock === mine) device.lock = null;
          return true;
        },
      },
      announcer: { status: () => undefined },
    };
  }

  /** Sends missing pieces in turns, like the evidence lane. */
  private async sendFile(
    tab: Tab,
    actor: string,
    [file]: readonly Entry[],
    patch: () => Promise<Result<Attempt>>,
  ): Promise<Result<Attempt> & PartialSend> {
    const began = this.scheduler.now;
    const missingOf = (result: { data: Attempt }) => (result.data as unknown as { missing?: number[] }).missing ?? [];
    const first = await patch();
    if (first.kind !== 'ok' || missingOf(first).length === 0) return first;
    let madeProgress = false;
    for (const piece of missingOf(first)) {
      const sent = await this.cross(tab, () => this.server.takePiece(tab.device.name, actor, file as Entry, piece));
      if (sent.kind !== 'ok') return { ...sent, madeProgress };
      madeProgress = true;
      if (this.scheduler.now - began > turnMs && missingOf(sent).length > 0) return { ...first, more: true };
    }
    return { ...(await patch()), madeProgress };
  }

  /** An entry may leave the outbox only if the server has it, or had it before a restore. */
  private checkProof(entry: Entry, person: string): void {
    if (!this.server.everApplied.some((e) => e.entry === entry.id)) this.wrong(`${entry.id} left the outbox without the server having it`);
    if (entry.actor !== person) this.wrong(`${entry.id} of ${entry.actor} was settled in the store of ${person}`);
  }

  // ── The connection ──────────────────────────────────────────────────────────────────────────────────────────────

  /** One request, with random faults. */
  private async cross(tab: Tab, handle: () => Result<Attempt>): Promise<Result<Attempt>> {
    const unreachable: Result<Attempt> = { kind: 'unreachable', reason: 'offline' };
    const delay = () => this.scheduler.pause(tab, 20 + this.random() * 300);
    await delay();
    if (!this.faults) return tab.device.reachable && this.serverUp ? handle() : unreachable;
    if (!tab.device.reachable || !this.serverUp) return unreachable;
    const dice = this.random();
    if (dice < 0.08) {
      // The request is lost; the tab waits for its timeout.
      await this.scheduler.pause(tab, 30_000);
      return { kind: 'unreachable', reason: 'timeout' };
    }
    // A captive portal's page, a redirect or a truncated answer.
    if (dice < 0.12) return { kind: 'unreachable', reason: 'stranger' };
    if (dice < 0.16) return { kind: 'refused', status: 503, error: { message: '', code: 'unavailable' }, retryAfterMs: 5000 };
    if (dice < 0.2) return { kind: 'refused', status: 500, error: { message: '', code: 'internal' }, retryAfterMs: null };
    if (dice < 0.22) return { kind: 'refused', status: 419, error: { message: '', code: 'csrf_mismatch' }, retryAfterMs: null };
    if (dice < 0.24) return { kind: 'refused', status: 429, error: { message: '', code: 'too_many_attempts' }, retryAfterMs: 3000 };
    const answer = handle();
    // The same request again, much later, from a proxy or the browser.
    if (dice < 0.34)
      void this.scheduler.pause(this.self, this.random() * 120_000).then(() => {
        if (this.serverUp) handle();
      });
    await delay();
    // The answer is lost or truncated.
    return dice > 0.9 ? unreachable : answer;
  }

  // ── What people do ──────────────────────────────────────────────────────────────────────────────────────────────

  private nextId(): string {
    return `e${++this.ids}`;
  }

  /** One action in a tab: the transaction, its journal line, and only then *Saved on this device*. */
  private async write(tab: Tab, i: number): Promise<void> {
    const { device, person } = tab;
    const store = this.storeOf(device, person);
    const base = {
      version: 1 as const,
      actor: person,
      actingAs: null,
      at: new Date(bornAt + this.scheduler.now + device.clockOff).toISOString(),
      skewMs: 0,
      state: 'waiting' as const,
      tries: 0,
      nextAt: 0,
      trouble: null,
    };
    const token = () => `${device.name}-${person}-${i}-${++this.ids}`;
    await this.scheduler.pause(tab);
    const assesses = this.chance(0.3);
    if (this.faults && this.chance(0.03)) return; // The disk is full: nothing is written, and nothing is said.
    const done = assesses ? this.assess(store, base, token) : this.learn(device, store, base, token());
    // The second journal is written after the transaction; a tab that dies in between has reported nothing.
    await this.scheduler.pause(tab);
    for (const { kept } of done) {
      if (!store.byId(kept.id)) continue;
      store.journal.set(kept.id, { ...kept, args: structuredClone(kept.args), state: 'waiting', trouble: null });
    }
    const saved = done.filter(({ kept }) => store.byId(kept.id) || store.settled.has(kept.id));
    await this.scheduler.pause(tab);
    this.acknowledged.push(...saved.map(({ kept, token }) => ({ token, person, device: device.name, entry: kept.id })));
    void tab.replay?.run();
  }

  /** Records an observation with decisions and files, or signs an earlier record, in one transaction. */
  private assess(store: Store, base: Base, token: () => string): { kept: Entry; token: string }[] {
    const hand = { random: this.random, id: () => this.nextId(), token };
    const records = [...store.outbox.values(), ...store.settled.values()].filter((e) => e.command === 'observation.record');
    const deeds = records.length > 0 && this.chance(0.4) ? sign(hand, this.pick(records)) : observe(hand, store.decided);
    return deeds.map(({ token: own, ...deed }) => {
      const kept: Entry = { ...base, ...deed, baseRev: null, mergeKey: null, sentence: own, n: ++store.counter };
      store.outbox.set(kept.n, kept);
      if (deed.command === 'observation.decide') store.decided.set(deed.lane, deed.id);
      return { kept, token: own };
    });
  }

  /** Continues a course, or submits a quiz. */
  private learn(device: Device, store: Store, common: Base, token: string): { kept: Entry; token: string }[] {
    const person = common.actor;
    const shared = this.chance(0.3);
    const lane = `attempt:${person}:${shared ? 'both' : device.name}:${Math.floor(this.random() * 4)}`;
    const quiz = this.chance(0.12);
    // In one history of five, one change on which the server always fails.
    const broken = !quiz && this.mayBreak && this.chance(0.05);
    if (broken) {
      this.mayBreak = false;
      this.broke = true;
    }
    const startId = this.nextId();
    const id = this.nextId();
    const begun = [...store.outbox.values(), ...store.settled.values()].some((e) => e.lane === lane && e.command === 'attempt.start');
    const others = store.all().filter((e) => e.lane !== lane);
    const base = { ...common, lane, baseRev: 0, sentence: token };
    const entry: Omit<Entry, 'n'> = quiz
      ? { ...base, id, command: 'attempt.submit_quiz', args: { answers: { [token]: 1 }, poison: this.chance(0.1) }, mergeKey: null, dependsOn: [] }
      : {
          ...base,
          id,
          command: 'attempt.progress',
          args: { topic_id: 't', state: 'started', percent: 1, seconds: { [token]: 1 }, ...(broken ? { breaks: true } : {}) },
          mergeKey: broken ? null : `${lane}:t`,
          dependsOn: others.length > 0 && this.chance(0.1) ? [this.pick(others).id] : [],
        };
    if (!begun) {
      const start: Entry = { ...base, id: startId, n: ++store.counter, command: 'attempt.start', args: {}, mergeKey: null, dependsOn: [] };
      store.outbox.set(start.n, start);
      store.journal.set(start.id, { ...start });
    }
    const older = entry.mergeKey === null ? undefined : store.all().findLast((e) => e.mergeKey === entry.mergeKey);
    const last = store.all().findLast((e) => e.lane === lane);
    let kept: Entry;
    if (older && mayMerge(older) && older === last) kept = Object.assign(older, mergeEntry(older, { ...entry, join: joinProgress }));
    else {
      kept = { ...entry, n: ++store.counter };
      store.outbox.set(kept.n, kept);
    }
    return [{ kept, token }];
  }

  private async work(device: Device): Promise<void> {
    for (let i = 0; i < writesPerDevice; i++) {
      await this.scheduler.pause(this.self, this.random() * 60_000);
      const tabs = device.tabs.filter((t) => t.alive && t.frozenUntil <= this.scheduler.now);
      if (tabs.length > 0) void this.write(this.pick(tabs), i);
    }
  }

  // ── Faults ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private kill(tab: Tab): void {
    tab.alive = false;
    tab.device.tabs = tab.device.tabs.filter((t) => t !== tab);
    // The browser passes on the lock of a dead tab, but not of a frozen one.
    if (tab.device.lock?.tab === tab) tab.device.lock = null;
  }

  private misfortune(): void {
    const device = this.pick(this.devices);
    const tab = this.pick(device.tabs);
    switch (Math.floor(this.random() * 10)) {
      case 0:
        if (tab) {
          this.kill(tab);
          this.openTab(device, tab.name);
        }
        break;
      case 1:
        if (tab) tab.frozenUntil = this.scheduler.now + this.random() * 10 * 60_000;
        break;
      case 2: {
        // Kills the browser, and sometimes loses its database.
        for (const t of [...device.tabs]) this.kill(t);
        if (this.chance(0.5)) for (const store of device.stores.values()) store.loseAndRecover();
        for (let i = 0; i < 2; i++) this.openTab(device, `${device.name}${i}`);
        break;
      }
      case 3:
        device.clockOff += (this.random() - 0.5) * 2 * day;
        break;
      case 4:
        device.reachable = !device.reachable;
        break;
      case 5:
        this.serverUp = !this.serverUp;
        break;
      case 6:
        this.server.takeBackup();
        break;
      case 7:
        if (this.chance(0.5)) {
          this.server.restore();
          this.serverUp = true;
        }
        break;
      case 8:
        // The session ends or returns.
        this.server.sessions.set(device.name, this.server.sessions.get(device.name) ? null : device.person);
        break;
      case 9: {
        // Another person uses the device, with other tabs, store and session.
        for (const t of [...device.tabs]) this.kill(t);
        device.person = device.person === 'p-A' ? `p-${device.name}2` : 'p-A';
        this.server.sessions.set(device.name, device.person);
        for (let i = 0; i < 2; i++) this.openTab(device, `${device.name}${i}`);
        break;
      }
    }
  }

  /** All faults end: everyone with work here signs in, one after another, and resolves what needs them. */
  private async recover(): Promise<void> {
    this.faults = false;
    this.serverUp = true;
    for (const device of this.devices) {
      device.reachable = true;
      for (const t of device.tabs) t.frozenUntil = 0;
    }
    const people = [...new Set(this.devices.flatMap((d) => [...d.stores.keys()]))];
    // A change on which the server always fails is detected after an hour.
    for (const person of people) await this.turnOf(person, 12);
    const stuck = people.filter((person) => this.devices.some((d) => d.stores.get(person)?.all().some(breaks)));
    for (const person of stuck) {
      await this.turnOf(person, 24);
      for (const device of this.devices)
        if (device.stores.get(person)?.all().some(breaks)) this.wrong(`${person} is not told of what can never be sent from ${device.name}`);
    }
  }

  /** A person signs in on both devices and resolves what needs them. */
  private async turnOf(person: string, rounds: number): Promise<void> {
    for (const device of this.devices) {
      for (const t of [...device.tabs]) this.kill(t);
      device.person = person;
      this.server.sessions.set(device.name, person);
      this.openTab(device, `${device.name}0`);
      this.openTab(device, `${device.name}1`);
    }
    // After a decision, the entries behind it must be sent too.
    let decided = false;
    for (let round = 0; round < rounds || decided; round++) {
      decided = false;
      await this.scheduler.pause(this.self, rounds === 12 ? 90_000 : 240_000);
      for (const device of this.devices) {
        const store = this.storeOf(device, person);
        for (const e of store.all().filter((x) => x.state === 'needs-person')) {
          // The person keeps the server's version; theirs is in the archive.
          decided = true;
          store.outbox.delete(e.n);
          store.settled.set(e.id, { ...e, outcome: 'discarded' });
          store.journal.delete(e.id);
        }
        for (const t of device.tabs) void t.replay?.wake();
      }
    }
  }

  /** Runs the whole history and returns the violations. */
  async run(): Promise<Violation[]> {
    for (const device of this.devices) void this.work(device);
    void (async () => {
      for (let i = 0; i < 30; i++) {
        await this.scheduler.pause(this.self, this.random() * (faultsUntil / 15));
        if (this.scheduler.now > faultsUntil) break;
        this.misfortune();
      }
    })();
    await this.scheduler.run(faultsUntil + 5 * 60_000);
    let recovered = false;
    void this.recover().then(() => {
      recovered = true;
    });
    await this.scheduler.run(end);
    if (!recovered && this.broke) await this.scheduler.run(endWhereStuck);
    if (!recovered) this.wrong('the recovery did not end');
    this.check();
    return this.violations;
  }

  private check(): void {
    const { effects, archive } = this.server.state;
    const there = new Set([...effects.flatMap((e) => e.tokens), ...[...archive.values()].flat()]);
    const stores = this.devices.flatMap((d) => [...d.stores.values()]);
    const here = new Set(
      stores.flatMap((s) =>
        [...s.outbox.values(), ...s.settled.values()].filter((e) => !('outcome' in e) || e.outcome === 'discarded').flatMap(tokensOf),
      ),
    );
    const twice = this.server.history > 0 ? new Set(stores.flatMap((s) => [...s.archiveLost])) : new Set<string>();
    for (const w of this.acknowledged)
      if (!there.has(w.token) && !twice.has(w.token) && !here.has(w.token)) this.wrong(`${w.token} was acknowledged and is lost (entry ${w.entry})`);
    const counts = new Map<string, number>();
    for (const { entry, history } of this.server.everApplied) counts.set(`${history}:${entry}`, (counts.get(`${history}:${entry}`) ?? 0) + 1);
    for (const [entry, count] of counts) if (count > 1) this.wrong(`${entry} had ${count} effects`);
    const doneBy = new Map(this.acknowledged.map((w) => [w.entry, w.person]));
    for (const e of effects)
      if (e.lane.startsWith('attempt:') ? !e.lane.startsWith(`attempt:${e.user}:`) : (doneBy.get(e.entry) ?? e.user) !== e.user)
        this.wrong(`${e.entry} was sent under the name of ${e.user}`);
    for (const device of this.devices)
      for (const [person, store] of device.stores)
        if (store.outbox.size > 0)
          this.wrong(`${store.outbox.size} entries of ${person} did not leave ${device.name}: ${store.all()[0]?.state} ${store.all()[0]?.command}`);
    const orders = new Map<string, number>();
    for (const e of effects) {
      const key = `${e.device}:${e.lane}`;
      if (e.device === '' || e.lane.includes(':both:')) continue;
      const made = Number(e.entry.slice(1));
      if ((orders.get(key) ?? 0) > made && this.server.history === 0) this.wrong(`${e.entry} overtook another in ${e.lane}`);
      orders.set(key, Math.max(orders.get(key) ?? 0, made));
    }
  }
}

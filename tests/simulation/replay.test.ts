import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import type { Answer, Entry, Greeting, Ports, Store } from '#src/offline/ports.ts';
import { backoffMs, lanesAtOnce } from '#src/offline/replay/backoff.ts';
import { createReplay } from '#src/offline/replay/replay.ts';

/** The engine against a model server, with every fault of the connection. Nothing here waits: the clock is a number. */
type Fault = 'none' | 'lost-request' | 'lost-answer' | 'busy' | 'failing' | 'sign-in' | 'other-person' | 'partly';

const entryOf = (n: number, lane: string): Entry => ({
  n,
  id: `e${n}`,
  lane,
  command: 'attempt.progress',
  version: 1,
  args: {},
  actor: 'p',
  actingAs: null,
  dependsOn: [],
  baseRev: null,
  at: '',
  skewMs: 0,
  state: 'waiting',
  tries: 0,
  nextAt: 0,
  trouble: null,
  sentence: '',
  mergeKey: null,
});

const polite = { greet: async () => ({ kind: 'ok' as const, again: 0 }) };
const memoryStore = (entries: Entry[]): Store & { entries: Entry[]; settled: string[] } => {
  const settled: string[] = [];
  const set = (ids: readonly string[], change: (e: Entry) => void) => entries.filter((e) => ids.includes(e.id)).forEach(change);
  return {
    entries,
    settled,
    owner: entries[0]?.actor ?? '',
    noteFailing: async () => [],
    othersPass: async () => false,
    sendable: async (now) => {
      const lanes = new Map<string, Entry[]>();
      const stopped = new Set<string>();
      for (const e of entries) {
        if (stopped.has(e.lane)) continue;
        if (e.state === 'needs-person' || e.nextAt > now) stopped.add(e.lane);
        else lanes.set(e.lane, [...(lanes.get(e.lane) ?? []), e]);
      }
      return lanes;
    },
    markSending: async (ids) => {
      set(ids, (e) => {
        e.state = 'sending';
        e.tries++;
      });
      return entries.filter((e) => ids.includes(e.id));
    },
    settle: async (_lane, outcomes) => {
      for (const o of outcomes) {
        const at = entries.findIndex((e) => e.id === o.id);
        if (at >= 0) settled.push(...entries.splice(at, 1).map((e) => e.id));
      }
    },
    park: async (id, trouble) =>
      set([id], (e) => {
        e.state = 'needs-person';
        e.trouble = trouble;
      }),
    defer: async (ids, nextAt) =>
      set(ids, (e) => {
        if (e.state !== 'needs-person') {
          e.state = 'waiting';
          e.nextAt = nextAt;
        }
      }),
    wake: async () =>
      set(
        entries.map((e) => e.id),
        (e) => {
          e.nextAt = 0;
        },
      ),
    nextAt: async () => {
      const waiting = entries.filter((e) => e.state !== 'needs-person');
      return waiting.length === 0 ? null : Math.min(...waiting.map((e) => e.nextAt));
    },
  };
};

const modelServer = (faults: Fault[], conflicts: ReadonlySet<string>) => {
  const effects = new Map<string, number>();
  const order: string[] = [];
  let inFlight = 0;
  let most = 0;
  const apply = (entries: readonly Entry[]): Answer => {
    const outcomes: ChangeOutcome[] = [];
    for (const e of entries) {
      if (conflicts.has(e.id))
        return {
          kind: 'trouble',
          outcomes,
          entryId: e.id,
          trouble: { code: 'quiz_try_taken', message: '', resolution: [], current: null, at: '' },
        };
      if (!effects.has(e.id)) order.push(e.id);
      effects.set(e.id, 1);
      outcomes.push({ id: e.id, outcome: 'applied' });
    }
    return { kind: 'done', outcomes, current: null as never, serverTime: null };
  };
  return {
    effects,
    order,
    most: () => most,
    send: async (_lane: string, _actor: string, entries: readonly Entry[]): Promise<Answer> => {
      inFlight++;
      most = Math.max(most, inFlight);
      await Promise.resolve();
      inFlight--;
      const fault = faults.shift() ?? 'none';
      switch (fault) {
        case 'lost-request':
          return { kind: 'later', afterMs: null, reason: 'unreachable' };
        case 'lost-answer':
          apply(entries);
          return { kind: 'later', afterMs: null, reason: 'unreachable' };
        case 'busy':
          return { kind: 'later', afterMs: 5000, reason: 'busy' };
        case 'failing':
          return { kind: 'later', afterMs: null, reason: 'failing' };
        case 'sign-in':
          return { kind: 'sign-in' };
        case 'other-person':
          return { kind: 'other-person' };
        case 'partly': {
          const a = apply(entries.slice(0, 1));
          return a;
        }
        default:
          return apply(entries);
      }
    },
  };
};

describe('replay', () => {
  const faults = fc.array(fc.constantFrom<Fault>('none', 'lost-request', 'lost-answer', 'busy', 'failing', 'sign-in', 'other-person', 'partly'), {
    maxLength: 30,
  });
  it('loses nothing, doubles nothing, keeps order in a lane, and empties once the faults end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 1, maxLength: 40 }),
        faults,
        fc.uniqueArray(fc.nat(39), { maxLength: 3 }),
        fc.nat(),
        async (lanes, planned, conflicting, seed) => {
          const entries = lanes.map((lane, n) => entryOf(n, `lane${lane}`));
          const all = entries.map((e) => ({ id: e.id, lane: e.lane }));
          const conflicts = new Set(conflicting.map((n) => `e${n}`));
          const store = memoryStore(entries);
          const server = modelServer([...planned], conflicts);
          let now = 0;
          let random = seed % 1000;
          const ports: Ports = {
            store,
            transport: { send: server.send },
            greeter: polite,
            clock: { now: () => now },
            random: {
              next: () => {
                random = (random * 7919 + 13) % 1000;
                return random / 1000;
              },
            },
            lock: {
              tryHold: async (work) => {
                await work(async () => undefined);
                return true;
              },
            },
            announcer: { status: () => undefined },
          };
          const replay = createReplay(ports);
          for (let pass = 0; pass < 80 && (await store.nextAt(0)) !== null; pass++) {
            await replay.run();
            now += 31_000;
          }
          const left = new Set(store.entries.map((e) => e.id));
          for (const { id } of all) expect(left.has(id) || server.effects.has(id), `${id} is lost`).toBe(true);
          for (const id of store.settled) expect(server.effects.get(id), `${id} was taken out without proof`).toBe(1);
          for (const lane of new Set(all.map((e) => e.lane))) {
            const sent = server.order.filter((id) => all.find((e) => e.id === id)?.lane === lane).map((id) => Number(id.slice(1)));
            expect(sent).toEqual([...sent].sort((a, b) => a - b));
          }
          for (const e of store.entries) {
            const head = store.entries.find((o) => o.lane === e.lane);
            expect(head?.state, 'only a question to the person holds a lane up').toBe('needs-person');
          }
          expect(server.most()).toBeLessThanOrEqual(lanesAtOnce);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves the work to another tab that holds the lock', async () => {
    const store = memoryStore([entryOf(1, 'a')]);
    const replay = createReplay({
      store,
      transport: {
        send: () => {
          throw new Error('sent');
        },
      },
      greeter: polite,
      clock: { now: () => 0 },
      random: { next: () => 0 },
      lock: { tryHold: async () => false },
      announcer: { status: () => undefined },
    });
    await replay.run();
    expect(store.entries).toHaveLength(1);
  });

  it('sends at once when the line is back, though a greeting that began without one fails meanwhile', async () => {
    const store = memoryStore([entryOf(1, 'a')]);
    const greetings: ((greeting: Greeting) => void)[] = [];
    const replay = createReplay({
      store,
      transport: {
        send: async (_lane, _actor, entries) => ({
          kind: 'done',
          outcomes: entries.map((e) => ({ id: e.id, outcome: 'applied' as const })),
          current: null as never,
          serverTime: null,
        }),
      },
      greeter: { greet: () => new Promise((done) => greetings.push(done)) },
      clock: { now: () => 0 },
      random: { next: () => 1 },
      lock: {
        tryHold: async (work) => {
          await work(async () => undefined);
          return true;
        },
      },
      announcer: { status: () => undefined },
    });
    const first = replay.run();
    await vi.waitFor(() => expect(greetings).toHaveLength(1));
    const woken = replay.wake();
    greetings[0]?.({ kind: 'later', afterMs: null, reason: 'unreachable' });
    await vi.waitFor(() => expect(greetings).toHaveLength(2));
    greetings[1]?.({ kind: 'ok', again: 0 });
    await Promise.all([first, woken]);
    expect(store.settled).toHaveLength(1);
  });

  it('rests when somebody has to sign in, and when an answer names nothing', async () => {
    const answers: Answer[] = [
      { kind: 'sign-in' },
      { kind: 'other-person' },
      { kind: 'done', outcomes: [], current: null as never, serverTime: null },
    ];
    for (const answer of answers) {
      const store = memoryStore([entryOf(1, 'a')]);
      const replay = createReplay({
        store,
        transport: { send: async () => answer },
        greeter: polite,
        clock: { now: () => 0 },
        random: { next: () => 1 },
        lock: {
          tryHold: async (work) => {
            await work(async () => undefined);
            return true;
          },
        },
        announcer: { status: () => undefined },
      });
      await replay.run();
      expect(await replay.nextAt(), answer.kind).toBeGreaterThanOrEqual(1000);
    }
  });

  it('sends what was joined to an entry while it is chosen', async () => {
    const store = memoryStore([{ ...entryOf(1, 'a'), args: 'chosen' }]);
    const { sendable } = store;
    // As in a database: what was read is a copy, and stays as it was.
    store.sendable = async (now) => new Map([...(await sendable(now))].map(([lane, es]) => [lane, es.map((e) => ({ ...e }))]));
    const { markSending } = store;
    store.markSending = async (ids) => {
      for (const e of store.entries) e.args = 'joined';
      return markSending(ids);
    };
    const sent: unknown[] = [];
    const replay = createReplay({
      store,
      transport: {
        send: async (_lane, _actor, entries) => {
          sent.push(...entries.map((e) => e.args));
          return { kind: 'done', outcomes: entries.map((e) => ({ id: e.id, outcome: 'applied' })), current: null as never, serverTime: null };
        },
      },
      greeter: polite,
      clock: { now: () => 0 },
      random: { next: () => 0 },
      lock: {
        tryHold: async (work) => {
          await work(async () => undefined);
          return true;
        },
      },
      announcer: { status: () => undefined },
    });
    await replay.run();
    expect(sent).toEqual(['joined']);
  });

  it('backs off up to twenty seconds, with jitter', () => {
    expect(backoffMs(0, 0)).toBe(500);
    expect(backoffMs(0, 1)).toBe(1000);
    expect(backoffMs(50, 1)).toBe(20_000);
    expect(backoffMs(50, 0)).toBe(10_000);
  });
});

import { describe, expect, it } from 'vitest';
import type { Answer, Entry, Greeting, Ports } from '#src/offline/ports.ts';
import { createReplay, heavyAtOnce } from '#src/offline/replay/replay.ts';

/**
 * The engine with a list of entries and a connection that answers with `answer`. Reports what was sent, in order, and what was
 * postponed until when.
 */
const world = (
  lanes: readonly string[],
  answer: (lane: string, time: number) => Answer | Promise<Answer>,
  greet: () => Greeting = () => ({ kind: 'ok', again: 0 }),
  others = true,
) => {
  let time = 1000;
  const waiting = new Map(lanes.map((lane) => [lane, { id: lane, lane, actor: 'me', tries: 7, nextAt: 0 } as unknown as Entry]));
  const sent: string[] = [];
  const deferred: [string, number][] = [];
  const parked: string[] = [];
  const statuses: string[] = [];
  const reports: number[] = [];
  const ports: Ports = {
    store: {
      owner: 'me',
      noteFailing: async (ids, now) =>
        [...waiting.values()]
          .filter((e) => ids.includes(e.id))
          .map((e) => Object.assign(e, { failing: { since: e.failing?.since ?? now, times: (e.failing?.times ?? 0) + 1 } })),
      othersPass: async () => others,
      sendable: async (now) => new Map([...waiting].filter(([, e]) => e.nextAt <= now).map(([lane, e]) => [lane, [e]])),
      markSending: async (ids) => [...waiting.values()].filter((e) => ids.includes(e.id)),
      settle: async (lane, outcomes) => {
        if (outcomes.length > 0) waiting.delete(lane);
      },
      park: async (id, trouble) => {
        parked.push(`${id} ${trouble.code}`);
        waiting.delete(id);
      },
      defer: async (ids, nextAt) => {
        for (const id of ids) {
          const entry = waiting.get(id);
          if (!entry) continue;
          entry.nextAt = nextAt;
          deferred.push([id, nextAt - time]);
        }
      },
      wake: async () => undefined,
      nextAt: async () => null,
    },
    transport: {
      isHeavy: (lane) => lane.startsWith('file'),
      send: async (lane) => {
        sent.push(lane);
        time += 10;
        return answer(lane, sent.filter((s) => s === lane).length);
      },
    },
    greeter: {
      greet: async () => greet(),
      report: async () => {
        reports.push(waiting.size);
      },
    },
    clock: { now: () => time },
    random: { next: () => 1 },
    lock: { tryHold: async (work) => work(async () => undefined).then(() => true) },
    announcer: { status: (s) => void statuses.push(s) },
  };
  const later = (ms: number) => {
    time += ms;
  };
  return { replay: createReplay(ports), sent, deferred, parked, reports, waiting, statuses, later };
};
const done = (lane: string): Answer => ({
  kind: 'done',
  outcomes: [{ id: lane, outcome: 'applied' }],
  current: {} as never,
  serverTime: null,
});

describe('sending', () => {
  it('sends written changes first, then files, a few at a time', async () => {
    let files = 0;
    let most = 0;
    const { replay, sent } = world(['file:1', 'file:2', 'file:3', 'note:1', 'note:2'], async (lane) => {
      if (!lane.startsWith('file')) return done(lane);
      most = Math.max(most, ++files);
      await new Promise((resolve) => setTimeout(resolve, 0));
      files--;
      return done(lane);
    });
    await replay.run();
    expect(most).toBe(heavyAtOnce);
    expect(sent.slice(0, 2)).toEqual(['note:1', 'note:2']);
    expect(sent.slice(2, 2 + heavyAtOnce).sort()).toEqual(['file:1', 'file:2']);
    expect(sent.slice(2 + heavyAtOnce)).toEqual(['file:3']);
  });

  it('sends new changes between the parts of a file', async () => {
    const { replay, sent, waiting } = world(['file:1'], (lane, time) => {
      if (lane !== 'file:1' || time > 3) return done(lane);
      if (time === 2) waiting.set('note:new', { id: 'note:new', lane: 'note:new', tries: 0, nextAt: 0, actor: 'me' } as unknown as Entry);
      return { kind: 'done', outcomes: [], current: {} as never, serverTime: null, more: true };
    });
    await replay.run();
    expect(sent).toEqual(['file:1', 'file:1', 'note:new', 'file:1', 'file:1']);
  });

  it('waits only the first pause if part of a file was received before the connection broke', async () => {
    const broken = (madeProgress: boolean) => world(['file:1'], () => ({ kind: 'later', afterMs: null, reason: 'unreachable', madeProgress }));
    const [moved, stood] = [broken(true), broken(false)];
    await Promise.all([moved.replay.run(), stood.replay.run()]);
    expect(moved.deferred.at(-1)).toEqual(['file:1', 1000]);
    expect(stood.deferred.at(-1)).toEqual(['file:1', 20_000]);
  });
});

describe('changes that the server does not find', () => {
  const notFound: Answer = {
    kind: 'trouble',
    outcomes: [],
    entryId: null,
    trouble: { code: 'not_found', message: '', resolution: [], current: null, at: '' },
  };

  it('need the person if the server knows everything it once received', async () => {
    const { replay, parked } = world(['note:1'], () => notFound);
    await replay.run();
    expect(parked).toEqual(['note:1 not_found']);
  });

  it('wait while the server cannot say whether it was restored', async () => {
    let greetings = 0;
    const { replay, parked, deferred, waiting } = world(
      ['note:1'],
      () => notFound,
      () => (++greetings === 1 ? { kind: 'ok', again: 0 } : { kind: 'later', afterMs: 3000, reason: 'unreachable' }),
    );
    await replay.run();
    expect(parked).toEqual([]);
    expect(waiting.has('note:1')).toBe(true);
    expect(deferred.at(-1)).toEqual(['note:1', 3000]);
  });

  it('wait if another lane has already queued what they depend on', async () => {
    let restored = false;
    const { replay, sent, parked, waiting } = world(['sign:1'], (lane) => {
      if (lane !== 'sign:1' || restored) return done(lane);
      // Another tab has learned that the record is forgotten: it goes first.
      restored = true;
      waiting.set('sign:1', { id: 'record', lane: 'sign:1', actor: 'me', tries: 1, nextAt: 0 } as unknown as Entry);
      return notFound;
    });
    await replay.run();
    expect(parked).toEqual([]);
    // The record is sent instead of the signature.
    expect(sent).toEqual(['sign:1', 'sign:1']);
  });
});

describe('changes that can never be sent', () => {
  const failing: Answer = { kind: 'later', afterMs: null, reason: 'failing' };
  const tryFor = async ({ replay, later }: ReturnType<typeof world>, tries: number, everyMs: number) => {
    for (let i = 0; i < tries; i++) {
      await replay.run();
      later(everyMs);
    }
  };
  it('need the person after ten failures in an hour, while others succeed and the server can be reached', async () => {
    const w = world(['note:1'], () => failing);
    await tryFor(w, 9, 600_000);
    expect(w.parked).toEqual([]);
    expect(w.statuses.at(-1)).toBe('failing');
    await tryFor(w, 1, 0);
    expect(w.parked).toEqual(['note:1 cannot_be_sent']);
  });
  it('do not include those that fail ten times in a minute, while nothing else succeeds, or while the server is away', async () => {
    const quick = world(['note:1'], () => failing);
    await tryFor(quick, 30, 30_000);
    expect(quick.parked).toEqual([]);
    const all = world(['note:1'], () => failing, undefined, false);
    await tryFor(all, 30, 600_000);
    expect(all.parked).toEqual([]);
    let greetings = 0;
    const down = world(
      ['note:1'],
      () => failing,
      () => (greetings++ === 0 ? { kind: 'ok', again: 0 } : { kind: 'later', afterMs: null, reason: 'failing' }),
    );
    await tryFor(down, 30, 600_000);
    expect(down.parked).toEqual([]);
  });
  it('include those saved in another person’s name, without asking anyone to sign in', async () => {
    const w = world(['note:1', 'note:2'], (lane) => done(lane));
    Object.assign(w.waiting.get('note:1') as Entry, { actor: 'somebody else' });
    await w.replay.run();
    expect(w.parked).toEqual(['note:1 not_yours']);
    expect(w.sent).toEqual(['note:2']);
  });
  it('do not include those of an organisation with restricted access, where signing in would not help', async () => {
    const w = world(['note:1'], () => ({ kind: 'restricted' }));
    await w.replay.run();
    expect(w.statuses.at(-1)).toBe('restricted');
    expect(w.parked).toEqual([]);
  });
});

describe('the check-in', () => {
  it('is repeated after sending, but not if the connection has just failed', async () => {
    const sends = world(['attempt:1'], done);
    await sends.replay.run();
    expect(sends.reports).toEqual([0]);
    const cut = world(['attempt:1'], () => ({ kind: 'later', afterMs: null, reason: 'unreachable' }) as Answer);
    await cut.replay.run();
    expect(cut.reports).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Answer, Entry, Ports } from '#src/offline/ports.ts';
import { createReplay, heavyAtOnce } from '#src/offline/replay/replay.ts';

/** The engine over a list of entries, and a line that answers as `answer` says. Tells what was sent, in order, and what was put off to when. */
const world = (lanes: readonly string[], answer: (lane: string, time: number) => Answer | Promise<Answer>) => {
  let time = 1000;
  const waiting = new Map(lanes.map((lane) => [lane, { id: lane, lane, tries: 7, nextAt: 0 } as unknown as Entry]));
  const sent: string[] = [];
  const deferred: [string, number][] = [];
  const ports: Ports = {
    store: {
      sendable: async (now) => new Map([...waiting].filter(([, e]) => e.nextAt <= now).map(([lane, e]) => [lane, [e]])),
      markSending: async (ids) => ids.flatMap((id) => waiting.get(id) ?? []),
      settle: async (lane, outcomes) => {
        if (outcomes.length > 0) waiting.delete(lane);
      },
      park: async (id) => void waiting.delete(id),
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
    greeter: { greet: async () => ({ kind: 'ok', again: 0 }) },
    clock: { now: () => time },
    random: { next: () => 1 },
    lock: { tryHold: async (work) => work(async () => undefined).then(() => true) },
    announcer: { status: () => undefined },
  };
  return { replay: createReplay(ports), sent, deferred, waiting };
};
const done = (lane: string): Answer => ({
  kind: 'done',
  outcomes: [{ id: lane, outcome: 'applied' }],
  current: {} as never,
  serverTime: null,
});

describe('what is sent', () => {
  it('is first what people wrote, then files, a few at a time', async () => {
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

  it('lets something new go between the parts of a file', async () => {
    const { replay, sent, waiting } = world(['file:1'], (lane, time) => {
      if (lane !== 'file:1' || time > 3) return done(lane);
      if (time === 2) waiting.set('note:new', { id: 'note:new', lane: 'note:new', tries: 0, nextAt: 0 } as unknown as Entry);
      return { kind: 'done', outcomes: [], current: {} as never, serverTime: null, more: true };
    });
    await replay.run();
    expect(sent).toEqual(['file:1', 'file:1', 'note:new', 'file:1', 'file:1']);
  });

  it('waits no longer than the first time where a part of it got through before the line broke', async () => {
    const broken = (gotOn: boolean) => world(['file:1'], () => ({ kind: 'later', afterMs: null, reason: 'unreachable', gotOn }));
    const [moved, stood] = [broken(true), broken(false)];
    await Promise.all([moved.replay.run(), stood.replay.run()]);
    expect(moved.deferred.at(-1)).toEqual(['file:1', 1000]);
    expect(stood.deferred.at(-1)).toEqual(['file:1', 20_000]);
  });
});

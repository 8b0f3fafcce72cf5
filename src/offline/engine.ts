import { greeterFor } from '#src/offline/check-in.ts';
import { restoreSkew } from '#src/offline/clock.ts';
import { whenCommitted } from '#src/offline/outbox/commit.ts';
import { dexieStore } from '#src/offline/outbox/dexie-store.ts';
import type { ReplayStatus } from '#src/offline/ports.ts';
import { laneTransport } from '#src/offline/replay/lane-transport.ts';
import { createReplay } from '#src/offline/replay/replay.ts';
import { webLock } from '#src/offline/replay/web-lock.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** One person's engine with the real store, network, lock and clock, for page and worker. */
export const replayFor = (personId: string, onStatus: (status: ReplayStatus) => void) => {
  const db = personDb(personId);
  const now = () => Date.now();
  const lease = {
    read: async () => Number((await db.kv.get('replay-lease'))?.value ?? 0),
    write: async (at: number) => {
      await db.kv.put({ key: 'replay-lease', value: at });
    },
  };
  return createReplay({
    store: dexieStore(db),
    transport: laneTransport,
    greeter: greeterFor(db),
    clock: { now },
    random: { next: Math.random },
    lock: webLock(`lantern-replay-${personId}`, lease, now),
    announcer: { status: onStatus },
  });
};

const heartbeatMs = 30_000;
/** How often a device in use checks in. */
const greetEveryMs = 15 * 60_000;

/**
 * Keeps sending a person's work while a page is open: after each commit, when the connection or the page returns, and every 30 s
 * while something waits. Returns a function that stops it.
 */
export const keepReplaying = (personId: string, onStatus: (status: ReplayStatus) => void) => {
  const replay = replayFor(personId, onStatus);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const go = async (work: () => Promise<void>) => {
    clearTimeout(timer);
    if (stopped) return;
    await work().catch(() => undefined);
    if (stopped) return;
    const next = await replay.nextAt().catch(() => null);
    if (next !== null) timer = setTimeout(() => void go(replay.run), Math.min(Math.max(next - Date.now(), 250), heartbeatMs));
  };
  const run = () => go(replay.run);
  const wake = () => go(replay.wake);
  const greeting = setInterval(() => {
    replay.greetAgain();
    void run();
  }, greetEveryMs);
  const unlisten = whenCommitted(() => void run());
  const scope = globalThis as unknown as EventTarget;
  const events = ['online', 'focus', 'pageshow', 'lantern:wake'] as const;
  for (const event of events) scope.addEventListener(event, wake);
  void restoreSkew().then(wake);
  return {
    wake,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      clearInterval(greeting);
      unlisten();
      for (const event of events) scope.removeEventListener(event, wake);
    },
  };
};

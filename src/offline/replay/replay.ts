import type { Entry, Ports, ReplayStatus, Trouble } from '#src/offline/ports.ts';
import { backoffMs, giveUpAfter, lanesAtOnce } from '#src/offline/replay/backoff.ts';

/**
 * Sends what waits, and takes an entry out only on the server's word.
 *
 *            ┌──────────── commit, online, focus, every 30 s ───────────┐
 *            ▼                                                          │
 *   take the lock ─▶ greet, after a silence ─▶ read the heads of all lanes ─▶ send each lane ─▶ settle
 *        │ held            │ unreachable: back off   │ none: idle              │ unreachable: stop the pass, back off
 *        ▼                 │ forgotten entries       ▼                         │ 401: pause, ask once to sign in
 *   another tab does it    ▼ wait again            done                        │ conflict: park it, its lane waits
 *
 * Guarantees: entries of a lane go in order; a lane's trouble stops that lane only; at most `lanesAtOnce` requests (or as
 * many as the line carries side by side) are in flight, files after everything else and two at a time; a pass ends by itself; nothing is dropped for age, count of tries, or an answer that is not ours.
 */
export const entriesAtOnce = 200;
/** How long a person's lanes wait for a sign-in. */
export const signInPauseMs = 30_000;

/** Lanes with files sent in parallel: on a narrow connection more would all break before one is complete. */
export const heavyAtOnce = 2;

/** After this many server failures a lane sends one change at a time, so that the others get through. */
const aloneAfter = 3;

/** After this time a pass stops, releases its lock and starts again, so that no tab excludes the others. */
const passMs = 20_000;

/** Marks older than this are read again before sending. */
const staleMs = 5_000;

const reasons = {
  not_yours: 'This was saved in another person’s name, and cannot be sent from here.',
  cannot_be_sent: 'The server has failed at this again and again, while it takes other things.',
} as const;
const troubleOf = (code: keyof typeof reasons, now: number): Trouble => ({
  ...{ code, message: reasons[code], resolution: [], current: null },
  at: new Date(now).toISOString(),
});

export const createReplay = ({ store, transport, greeter, clock, random, lock, announcer }: Ports) => {
  let greeted = false;
  let silences = 0;
  let running: Promise<void> | null = null;
  let again = false;

  /**
   * Marks lanes as being sent in groups, one transaction each and one group ahead of sending, so that the connection never waits
   * for the disk. Returns what a lane has to send; old marks are read again, because another tab may have changed them while this
   * one was frozen.
   */
  const batchOf = (lane: string, [head]: readonly Entry[]): number =>
    (head?.failing?.times ?? 0) >= aloneAfter ? 1 : (transport.atOnce?.(lane) ?? entriesAtOnce);
  const marker = (lanes: readonly [string, Entry[]][], width: number) => {
    const mark = (some: readonly [string, Entry[]][]): Promise<Map<string, Entry[]>> =>
      store
        .markSending(some.flatMap(([lane, entries]) => entries.slice(0, batchOf(lane, entries)).map((e) => e.id)))
        .then((entries) => Map.groupBy(entries, (e) => e.lane));
    const groups: { at: number; entries: Promise<Map<string, Entry[]>> }[] = [];
    const group = (g: number) => {
      groups[g] ??= { at: clock.now(), entries: mark(lanes.slice(g * width, (g + 1) * width)) };
      groups[g].entries.catch(() => undefined);
      return groups[g];
    };
    return {
      marked: async (i: number): Promise<Entry[]> => {
        const lane = lanes[i] as [string, Entry[]];
        const { at, entries } = group(Math.floor(i / width));
        const known = Math.abs(clock.now() - at) < staleMs ? await entries : await mark([lane]);
        if (i + width < lanes.length) group(Math.floor(i / width) + 1);
        return known.get(lane[0]) ?? [];
      },
      /** Resolves when nothing is being marked any more, so that postponed entries stay postponed. */
      quiet: () => Promise.allSettled(groups.map((g) => g.entries)),
    };
  };

  /** `settling` collects writes of answers, which only the end of the round waits for. */
  const sendLane = async (lane: string, batch: Entry[], settling: Promise<void>[]): Promise<ReplayStatus | 'moved' | 'stuck'> => {
    const ids = batch.map((e) => e.id);
    // Another tab may have sent them meanwhile.
    if (batch.length === 0) return 'moved';
    const ofOthers = batch.filter((e) => e.actor !== store.owner);
    if (ofOthers.length > 0) {
      // No session of this person may send them, and no other person's session finds them here.
      for (const { id } of ofOthers) await store.park(id, troubleOf('not_yours', clock.now()));
      await store.defer(
        ids.filter((id) => !ofOthers.some((e) => e.id === id)),
        clock.now(),
      );
      return 'moved';
    }
    const answer = await transport.send(lane, (batch[0] as Entry).actor, batch);
    const at = new Date(clock.now()).toISOString();
    const pause = () => backoffMs(Math.max(...batch.map((e) => e.tries)), random.next());
    const wait = (some: readonly string[], afterMs: number | null) => store.defer(some, clock.now() + (afterMs ?? pause()));
    switch (answer.kind) {
      case 'done': {
        const written = store.settle(lane, answer.outcomes, answer.current, at).then(() =>
          // An answer that omits an entry has not acknowledged it, so it is sent again.
          wait(
            ids.filter((id) => !answer.outcomes.some((o) => o.id === id)),
            answer.outcomes.length > 0 || answer.more ? 0 : null,
          ),
        );
        // Failures are handled at the end of the round; this prevents an unhandled rejection.
        written.catch(() => undefined);
        settling.push(written);
        return answer.outcomes.length > 0 || answer.more ? 'moved' : 'stuck';
      }
      case 'trouble': {
        await store.settle(
          lane,
          answer.outcomes.filter((o) => o.outcome === 'applied' || o.outcome === 'late'),
          answer.trouble.current,
          at,
        );
        // The server does not find something it once had: it may have been restored from a backup, and gets it again before the person is
        // asked.
        if (answer.trouble.code === 'not_found') {
          const greeting = await greeter.greet();
          if (greeting.kind !== 'ok') {
            await wait(ids, greeting.kind === 'later' ? greeting.afterMs : signInPauseMs);
            return greeting.kind === 'later' ? 'unreachable' : greeting.kind;
          }
          // Or another lane or tab has already queued what it depends on.
          const mayGo = (await store.sendable(clock.now())).get(lane)?.[0]?.id;
          if (greeting.again > 0 || !ids.includes(mayGo ?? '')) {
            await store.defer(ids, clock.now());
            return 'moved';
          }
        }
        const id = answer.entryId ?? answer.outcomes.find((o) => o.outcome === 'conflict' || o.outcome === 'refused')?.id ?? (ids[0] as string);
        await store.park(id, answer.trouble);
        await store.defer(
          ids.filter((other) => other !== id && !answer.outcomes.some((o) => o.id === other)),
          clock.now(),
        );
        return 'moved';
      }
      case 'later':
        if (answer.reason === 'failing' && (await isHopeless(lane, ids))) {
          await store.park(ids[0] as string, troubleOf('cannot_be_sent', clock.now()));
          // Also reports this to the server's operator.
          await greeter.greet();
          return 'moved';
        }
        await wait(ids, answer.afterMs ?? (answer.madeProgress ? backoffMs(0, random.next()) : null));
        return answer.reason === 'unreachable' ? 'unreachable' : answer.reason === 'failing' ? 'failing' : 'stuck';
      case 'sign-in':
      case 'restricted':
      case 'other-person':
        // Signing in wakes the engine; until then retrying would be useless.
        await wait(ids, signInPauseMs);
        return answer.kind;
    }
  };

  /** Whether the server fails on this change alone: it responds, and accepts others. */
  const isHopeless = async (lane: string, ids: readonly string[]): Promise<boolean> => {
    const now = clock.now();
    const [head, ...more] = await store.noteFailing(ids, now);
    if (!head?.failing || more.length > 0 || head.failing.times < giveUpAfter.times || now - head.failing.since < giveUpAfter.ms) return false;
    return (await store.othersPass(lane, head.failing.since, now)) && (await greeter.greet()).kind === 'ok';
  };

  /** The first request after a silence. Returns what stops the pass, or null. */
  const greet = async (): Promise<ReplayStatus | null> => {
    const greeting = await greeter.greet();
    if (greeting.kind === 'ok') {
      greeted = true;
      // Entries postponed because of the silence need not wait longer.
      if (silences > 0) await store.wake();
      silences = 0;
      return null;
    }
    const waiting = [...(await store.sendable(clock.now())).values()].flat().map((e) => e.id);
    const pause = greeting.kind === 'later' ? (greeting.afterMs ?? backoffMs(silences++, random.next())) : signInPauseMs;
    await store.defer(waiting, clock.now() + pause);
    return greeting.kind === 'later' ? 'unreachable' : greeting.kind;
  };

  const pass = async (beat: () => Promise<void>): Promise<void> => {
    let status: ReplayStatus = 'idle';
    let tried = false;
    const until = clock.now() + passMs;
    if (!greeted) {
      const stopped = await greet();
      if (stopped) {
        announcer.status(stopped);
        return;
      }
    }
    for (;;) {
      const all = [...(await store.sendable(clock.now()))];
      const heavy = all.filter(([lane]) => transport.isHeavy?.(lane));
      // Written changes first; files in turns, so that new changes are in the next round.
      const lanes = heavy.length === 0 ? all : [...all.filter(([lane]) => !transport.isHeavy?.(lane)), ...heavy.slice(0, heavyAtOnce)];
      if (lanes.length === 0) break;
      if (clock.now() > until) {
        again = true;
        break;
      }
      await beat();
      tried = true;
      announcer.status('sending');
      let moved = false;
      let failing = false;
      let stopped: ReplayStatus | null = null;
      const settling: Promise<void>[] = [];
      const width = Math.min(transport.width?.() ?? lanesAtOnce, lanes.length);
      const { marked, quiet } = marker(lanes, width);
      let begun = 0;
      const worker = async () => {
        while (begun < lanes.length && stopped === null) {
          const turn = begun++;
          const result = await sendLane((lanes[turn] as [string, Entry[]])[0], await marked(turn), settling);
          if (result === 'moved') moved = true;
          else if (result === 'failing') failing = true;
          else if (result !== 'stuck' && result !== 'idle' && result !== 'sending') stopped = result;
        }
      };
      await Promise.all(Array.from({ length: width }, worker)).finally(() => Promise.all([quiet(), ...settling]));
      if (stopped) {
        status = stopped;
        if (stopped === 'unreachable') greeted = false;
        // The rest would fail too, so it waits as long.
        const untried = lanes.slice(begun).flatMap(([, entries]) => entries.map((e) => e.id));
        await store.defer(untried, clock.now() + (stopped === 'unreachable' ? backoffMs(0, random.next()) : signInPauseMs));
        break;
      }
      if (!moved) {
        if (failing) status = 'failing';
        break;
      }
    }
    // A pass that could send nothing does not change the status.
    if (tried || (await store.nextAt(clock.now())) === null) announcer.status(status);
    if (status === 'idle') await greeter.report?.();
  };

  const run = (): Promise<void> => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        if (!(await lock.tryHold(pass))) break;
      } while (again);
    })().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    /** Sends what may be sent now. If it is already running, it runs once more afterwards. Never throws network errors. */
    run,
    /** Like `run`, but skips pauses after failures, because the connection may be back. */
    wake: async (): Promise<void> => {
      silences = 0;
      await store.wake();
      await run();
    },
    nextAt: () => store.nextAt(clock.now()),
    /** Checks in again at the next pass. */
    greetAgain: () => {
      greeted = false;
    },
  };
};

import type { Entry, Ports, ReplayStatus, Trouble } from '#src/offline/ports.ts';
import { backoffMs, hopelessAfter, lanesAtOnce } from '#src/offline/replay/backoff.ts';

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
/** How long a person's lanes rest when somebody has to sign in first. */
export const signInPauseMs = 30_000;

/** So many lanes with files go side by side: on a narrow line more of them would all be cut before one is through. */
export const heavyAtOnce = 2;

/** What the server fails at so often is sent by itself: what stands beside it gets through. */
const aloneAfter = 3;

/** A pass stops after this long, gives its lock back and goes on: no tab keeps the others out. */
const passMs = 20_000;

/** What was marked longer ago than this is read again before it is sent. */
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
   * Marks lanes as under way a group at a time, in one transaction each, and one group ahead of what is being sent: the line
   * never waits for the disk. Answers what a lane has to send; what was marked a while ago is read again, for a tab that was
   * frozen in between is not the only one to have touched it.
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
      /** Ends when nothing is being marked any more: what is put back to wait after it stays so. */
      quiet: () => Promise.allSettled(groups.map((g) => g.entries)),
    };
  };

  /** `settling` takes what is still being written of an answer: the line need not wait for it, the end of the round does. */
  const sendLane = async (lane: string, batch: Entry[], settling: Promise<void>[]): Promise<ReplayStatus | 'moved' | 'stuck'> => {
    const ids = batch.map((e) => e.id);
    // Another tab may have sent them in the meantime.
    if (batch.length === 0) return 'moved';
    const foreign = batch.filter((e) => e.actor !== store.owner);
    if (foreign.length > 0) {
      // No session of this person may send it, and no other person's session finds it here.
      for (const { id } of foreign) await store.park(id, troubleOf('not_yours', clock.now()));
      await store.defer(
        ids.filter((id) => !foreign.some((e) => e.id === id)),
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
          // An answer that leaves an entry unnamed has not acknowledged it: it goes again.
          wait(
            ids.filter((id) => !answer.outcomes.some((o) => o.id === id)),
            answer.outcomes.length > 0 || answer.more ? 0 : null,
          ),
        );
        // What fails is met at the end of the round, and not by nobody before.
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
        // Not found, what it had: it may have been restored from a backup, and gets it again before anybody is troubled.
        if (answer.trouble.code === 'not_found') {
          const greeting = await greeter.greet();
          if (greeting.kind !== 'ok') {
            await wait(ids, greeting.kind === 'later' ? greeting.afterMs : signInPauseMs);
            return greeting.kind === 'later' ? 'unreachable' : greeting.kind;
          }
          // Or what it stands on waits again already: another lane, or another tab, has asked in the meantime.
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
          // Says so to the server, too, whoever runs it.
          await greeter.greet();
          return 'moved';
        }
        await wait(ids, answer.afterMs ?? (answer.gotOn ? backoffMs(0, random.next()) : null));
        return answer.reason === 'unreachable' ? 'unreachable' : answer.reason === 'failing' ? 'failing' : 'stuck';
      case 'sign-in':
      case 'restricted':
      case 'other-person':
        // Signing in wakes the engine; until then, asking again and again would help nobody.
        await wait(ids, signInPauseMs);
        return answer.kind;
    }
  };

  /** Whether the server fails at this one thing, and will go on to: it is there, and takes other things. */
  const isHopeless = async (lane: string, ids: readonly string[]): Promise<boolean> => {
    const now = clock.now();
    const [head, ...more] = await store.noteFailing(ids, now);
    if (!head?.failing || more.length > 0 || head.failing.times < hopelessAfter.times || now - head.failing.since < hopelessAfter.ms) return false;
    return (await store.othersPass(lane, head.failing.since, now)) && (await greeter.greet()).kind === 'ok';
  };

  /** Says the first word after a silence. Answers what stops the pass, or null. */
  const greet = async (): Promise<ReplayStatus | null> => {
    const greeting = await greeter.greet();
    if (greeting.kind === 'ok') {
      greeted = true;
      // What was put off in the silence need not wait any longer.
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
      // What people wrote goes first; files in turns, so that what is written meanwhile is in the next round.
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
          const at = begun++;
          const result = await sendLane((lanes[at] as [string, Entry[]])[0], await marked(at), settling);
          if (result === 'moved') moved = true;
          else if (result === 'failing') failing = true;
          else if (result !== 'stuck' && result !== 'idle' && result !== 'sending') stopped = result;
        }
      };
      await Promise.all(Array.from({ length: width }, worker)).finally(() => Promise.all([quiet(), ...settling]));
      if (stopped) {
        status = stopped;
        if (stopped === 'unreachable') greeted = false;
        // What was not tried would fare no better: it waits as long.
        const untried = lanes.slice(begun).flatMap(([, entries]) => entries.map((e) => e.id));
        await store.defer(untried, clock.now() + (stopped === 'unreachable' ? backoffMs(0, random.next()) : signInPauseMs));
        break;
      }
      if (!moved) {
        if (failing) status = 'failing';
        break;
      }
    }
    // A pass in which nothing could be sent yet says nothing new: what was true before it still is.
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
    /** Sends what may be sent now. Called while it runs, it runs once more afterwards. Never throws for the network. */
    run,
    /** As `run`, but without waiting out the pauses after failures: for when the line may be back. */
    wake: async (): Promise<void> => {
      silences = 0;
      await store.wake();
      await run();
    },
    nextAt: () => store.nextAt(clock.now()),
    /** Greets the server anew at the next pass. */
    greetAgain: () => {
      greeted = false;
    },
  };
};

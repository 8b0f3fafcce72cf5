import type { ChangesMeta } from '#contract/commands/change.ts';
import { protocol } from '#contract/protocol.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { apiBase } from '#src/api/transport.ts';
import { skewMs as currentSkew, noteServerTime } from '#src/offline/clock.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { laneOf } from '#src/offline/kinds/lanes.ts';
import { upgraded } from '#src/offline/outbox/upgrade.ts';
import { isReadable, unreadable } from '#src/offline/outbox/read-entry.ts';
import type { Entry, Transport } from '#src/offline/ports.ts';
import { answerOf } from '#src/offline/replay/answer.ts';
import { lanesAtOnce } from '#src/offline/replay/backoff.ts';

/** Parallel requests on one HTTP/2 connection; HTTP/1.1 has six connections. */
const widthOfHttp2 = 40;

/** Maximum size of changes sent together. The server accepts more, for a single large change. */
const requestBytes = protocol.bodyLimitBytes / 2;

/** A larger difference between what is known of the clock now and what was known when a change was made is a jump, not a better estimate. */
const jumpMs = 60_000;

/** Yields to the page, because preparing many lanes at once would be one long task. */
const breathe = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });

/** Sends related changes together, in the person's name. */
export const laneTransport: Transport = {
  width: () => {
    const last = (globalThis.performance?.getEntriesByType?.('resource') ?? [])
      .filter((e): e is PerformanceResourceTiming => new URL(e.name).pathname.startsWith(apiBase))
      .at(-1);
    return last?.nextHopProtocol === 'h2' ? widthOfHttp2 : lanesAtOnce;
  },
  isHeavy: (lane) => laneOf(lane)?.heavy === true,
  atOnce: (lane) => laneOf(lane)?.atOnce ?? 1,
  send: async (lane, actor, chosen) => {
    await breathe();
    const kind = laneOf(lane);
    // Probably queued by a newer release: wait until that is installed again.
    if (!kind) return { kind: 'later', afterMs: null, reason: 'busy' };
    const broken = chosen.findIndex((e) => !isReadable(e));
    if (broken === 0) {
      const at = new Date().toISOString();
      return { kind: 'trouble', outcomes: [], entryId: (chosen[0] as Entry).id, trouble: unreadable(at) };
    }
    // Sends what precedes an unreadable entry, which is then at the head of its lane.
    const entries = broken < 0 ? chosen : chosen.slice(0, broken);
    const changes = entries.map((entry) => {
      const { id, version, at, command, args, baseRev, skewMs } = upgraded(entry);
      const off = currentSkew() - skewMs;
      const more = {
        ...(baseRev === null ? {} : { base_rev: baseRev }),
        ...(skewMs ? { skew_ms: Math.round(skewMs) } : {}),
        ...(Math.abs(off) > jumpMs ? { clock_off_ms: Math.round(off) } : {}),
      };
      return { id, version, at, command, args, ...more };
    });
    // The rest goes with the next request; a single change is always sent.
    let bytes = 0;
    const fits = (change: unknown, i: number) => {
      bytes += jsonBytes(change);
      return i === 0 || bytes <= requestBytes;
    };
    const fitting = changes.length === 1 ? changes : changes.filter(fits);
    const sentAt = Date.now();
    const result = await kind.send(placeOfLane(lane).id, fitting, { [protocol.actorHeader]: actor });
    const serverTime =
      result.kind === 'ok' ? (result.meta as ChangesMeta | undefined)?.server_time : result.kind === 'refused' ? result.error.server_time : undefined;
    if (typeof serverTime === 'string') noteServerTime(serverTime, sentAt, Date.now());
    return answerOf(result, entries.slice(0, fitting.length), new Date().toISOString());
  },
};

import type { ChangesMeta } from '#contract/commands/change.ts';
import { protocol } from '#contract/protocol.ts';
import { apiBase } from '#src/api/transport.ts';
import { noteServerTime } from '#src/offline/clock.ts';
import { placeOfLane } from '#src/offline/lanes/lane-kind.ts';
import { laneKindOf } from '#src/offline/lanes/lane-kinds.ts';
import { upgraded } from '#src/offline/outbox/upgrade.ts';
import type { Transport } from '#src/offline/ports.ts';
import { answerOf } from '#src/offline/replay/answer.ts';
import { lanesAtOnce } from '#src/offline/replay/backoff.ts';

/** Requests that one connection of HTTP/2 carries side by side; HTTP/1.1 has six connections. */
const widthOfHttp2 = 40;

/** Sends what belongs together together, and says whose work it is. */
export const laneTransport: Transport = {
  width: () => {
    const last = (globalThis.performance?.getEntriesByType?.('resource') ?? [])
      .filter((e): e is PerformanceResourceTiming => new URL(e.name).pathname.startsWith(apiBase))
      .at(-1);
    return last?.nextHopProtocol === 'h2' ? widthOfHttp2 : lanesAtOnce;
  },
  atOnce: (lane) => laneKindOf(lane)?.atOnce ?? 1,
  send: async (lane, actor, entries) => {
    const kind = laneKindOf(lane);
    // Written by a newer release, most likely: it stays until that one is back.
    if (!kind) return { kind: 'later', afterMs: null, reason: 'failing' };
    const changes = entries.map((entry) => {
      const { id, version, at, command, args, baseRev } = upgraded(entry);
      return { id, version, at, command, args, ...(baseRev === null ? {} : { base_rev: baseRev }) };
    });
    const sentAt = Date.now();
    const result = await kind.send(placeOfLane(lane).id, changes, { [protocol.actorHeader]: actor });
    const serverTime =
      result.kind === 'ok' ? (result.meta as ChangesMeta | undefined)?.server_time : result.kind === 'refused' ? result.error.server_time : undefined;
    if (typeof serverTime === 'string') noteServerTime(serverTime, sentAt, Date.now());
    return answerOf(result, entries, new Date().toISOString());
  },
};

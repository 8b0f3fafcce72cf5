import type { UpdateMeta } from '#contract/api/attempts.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import { protocol } from '#contract/protocol.ts';
import { apiBase, request } from '#src/api/transport.ts';
import { noteServerTime } from '#src/offline/clock.ts';
import { upgraded } from '#src/offline/outbox/upgrade.ts';
import type { Transport } from '#src/offline/ports.ts';
import { answerOf } from '#src/offline/replay/answer.ts';
import { lanesAtOnce } from '#src/offline/replay/backoff.ts';

/** Requests that one connection of HTTP/2 carries side by side; HTTP/1.1 has six connections. */
const widthOfHttp2 = 40;

const laneId = (lane: string) => lane.slice(lane.indexOf(':') + 1);

/** Sends what belongs to one attempt together, compressed, and says whose work it is. */
export const attemptTransport: Transport = {
  width: () => {
    const last = (globalThis.performance?.getEntriesByType?.('resource') ?? [])
      .filter((e): e is PerformanceResourceTiming => new URL(e.name).pathname.startsWith(apiBase))
      .at(-1);
    return last?.nextHopProtocol === 'h2' ? widthOfHttp2 : lanesAtOnce;
  },
  send: async (lane, actor, entries) => {
    const changes = entries.map((entry) => {
      const { id, version, at, command, args, baseRev } = upgraded(entry);
      return { id, version, at, command, args, ...(baseRev === null ? {} : { base_rev: baseRev }) };
    });
    const sentAt = Date.now();
    const result = await request<Attempt>('PATCH', `/attempts/${laneId(lane)}`, {
      body: { changes },
      compress: true,
      headers: { [protocol.actorHeader]: actor },
    });
    const serverTime =
      result.kind === 'ok' ? (result.meta as UpdateMeta | undefined)?.server_time : result.kind === 'refused' ? result.error.server_time : undefined;
    if (typeof serverTime === 'string') noteServerTime(serverTime, sentAt, Date.now());
    return answerOf(result, entries, new Date().toISOString());
  },
};

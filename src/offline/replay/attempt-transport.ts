import type { Attempt } from '#contract/entities/attempt.ts';
import { protocol } from '#contract/protocol.ts';
import { request } from '#src/api/transport.ts';
import { upgraded } from '#src/offline/outbox/upgrade.ts';
import type { Transport } from '#src/offline/ports.ts';
import { answerOf } from '#src/offline/replay/answer.ts';

const laneId = (lane: string) => lane.slice(lane.indexOf(':') + 1);

/** Sends what belongs to one attempt together, compressed, and says whose work it is. */
export const attemptTransport: Transport = {
  send: async (lane, actor, entries) => {
    const changes = entries.map((entry) => {
      const { id, version, at, command, args, baseRev } = upgraded(entry);
      return { id, version, at, command, args, ...(baseRev === null ? {} : { base_rev: baseRev }) };
    });
    const result = await request<Attempt>('PATCH', `/attempts/${laneId(lane)}`, {
      body: { changes },
      compress: true,
      headers: { [protocol.actorHeader]: actor },
    });
    return answerOf(result, entries, new Date().toISOString());
  },
};

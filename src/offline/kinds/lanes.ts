import type { Kind } from '#contract/kinds.ts';
import { attemptLane } from '#src/offline/kinds/attempt/lane.ts';
import { certificateLane } from '#src/offline/kinds/certificate/lane.ts';
import { evidenceLane } from '#src/offline/kinds/evidence/lane.ts';
import { type Lane, type LaneOf, ofKind } from '#src/offline/kinds/lane.ts';
import { messagesLane } from '#src/offline/kinds/messages/lane.ts';
import { registerLane } from '#src/offline/kinds/register/lane.ts';

/** What the engine knows of each kind: what page and worker need to send. */
const lanes: { [K in Kind]: LaneOf<K> } = {
  attempt: attemptLane,
  certificate: certificateLane,
  evidence: evidenceLane,
  messages: messagesLane,
  register: registerLane,
};

/** What belongs to a lane, or undefined where this release knows no such kind. */
export const laneOf = (lane: string): Lane | undefined => ofKind(lanes as unknown as Record<Kind, Lane>, lane);

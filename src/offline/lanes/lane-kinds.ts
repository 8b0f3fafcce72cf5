import { attemptLane } from '#src/offline/lanes/attempt-lane.ts';
import { certificateLane } from '#src/offline/lanes/certificate-lane.ts';
import { evidenceLane } from '#src/offline/lanes/evidence-lane.ts';
import { type LaneKind, type LaneKindName, placeOfLane } from '#src/offline/lanes/lane-kind.ts';
import { messageLane } from '#src/offline/lanes/message-lane.ts';
import { registerLane } from '#src/offline/lanes/register-lane.ts';

const laneKinds = {
  attempt: attemptLane,
  certificate: certificateLane,
  evidence: evidenceLane,
  messages: messageLane,
  register: registerLane,
} as unknown as Record<LaneKindName, LaneKind>;

/** What belongs to a lane, or undefined where this release knows no such kind. */
export const laneKindOf = (lane: string): LaneKind | undefined => {
  const { kind } = placeOfLane(lane);
  return Object.hasOwn(laneKinds, kind) ? laneKinds[kind as LaneKindName] : undefined;
};

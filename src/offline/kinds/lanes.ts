import type { Kind } from '#contract/kinds.ts';
import { attemptLane } from '#src/offline/kinds/attempt/lane.ts';
import { certificateLane } from '#src/offline/kinds/certificate/lane.ts';
import { checkInLane } from '#src/offline/kinds/check-in/lane.ts';
import { evidenceLane } from '#src/offline/kinds/evidence/lane.ts';
import { feedbackLane } from '#src/offline/kinds/feedback/lane.ts';
import { type Lane, type LaneOf, ofKind } from '#src/offline/kinds/lane.ts';
import { messagesLane } from '#src/offline/kinds/messages/lane.ts';
import { registerLane } from '#src/offline/kinds/register/lane.ts';
import { submissionLane } from '#src/offline/kinds/submission/lane.ts';

/** What page and worker need of each kind for sending. */
const lanes: { [K in Kind]: LaneOf<K> } = {
  attempt: attemptLane,
  certificate: certificateLane,
  check_in: checkInLane,
  evidence: evidenceLane,
  feedback: feedbackLane,
  messages: messagesLane,
  register: registerLane,
  submission: submissionLane,
};

/** The definition of a lane's kind, or undefined if this release does not know it. */
export const laneOf = (lane: string): Lane | undefined => ofKind(lanes as unknown as Record<Kind, Lane>, lane);

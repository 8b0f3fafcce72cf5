import type { LearnerEvent } from '#src/features/learning/learner-events.ts';

/** The try of a course that this device has. */
export type LocalCourse = {
  attemptId: string;
  percent: number;
  unmarked: boolean;
  graded: boolean;
  /** The ids that tries after it would have; absent in a home page that an earlier version of the app has stored. */
  later?: readonly string[];
};

/**
 * The try that a course's card is about: of the one in the list and the one on this device, the one with the higher number. `isLater`: it was
 * begun on this device, and the list does not name it yet.
 */
export const tryShown = (
  { attempt_id, percent }: Pick<LearnerEvent, 'attempt_id' | 'percent'>,
  local: LocalCourse | undefined,
): { attemptId: string | null; percent: number; unmarked: boolean; isLater: boolean } => {
  const listed = { attemptId: attempt_id, percent: attempt_id ? percent : 0, unmarked: false, isLater: false };
  if (!local) return listed;
  const { attemptId, unmarked } = local;
  if (attemptId === attempt_id) return { ...listed, percent: Math.max(local.percent, percent), unmarked };
  if (attempt_id !== null && local.later?.includes(attempt_id)) return listed;
  const isLater = !local.graded;
  return { attemptId, percent: isLater ? local.percent : Math.max(local.percent, listed.percent), unmarked, isLater };
};

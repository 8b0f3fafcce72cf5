import type { TopicProgress, TopicState } from '#contract/entities/attempt.ts';

const rank: Record<TopicState, number> = { none: 0, started: 1, completed: 2 };

const earliest = (a: string | null, b: string | null) => (a === null ? b : b === null ? a : a < b ? a : b);

/**
 * Merges two views of the same topic: the further state, the higher percent, the earliest completion and, per device, the larger
 * counter. Commutative, associative and idempotent, so order and repetition do not matter.
 */
export const mergeProgress = (a: TopicProgress, b: TopicProgress): TopicProgress => {
  const seconds = { ...a.seconds };
  for (const [device, value] of Object.entries(b.seconds)) seconds[device] = Math.max(seconds[device] ?? 0, value);
  const state = rank[a.state] >= rank[b.state] ? a.state : b.state;
  return {
    topic_id: a.topic_id,
    state,
    percent: state === 'completed' ? 100 : Math.max(a.percent, b.percent),
    completed_at: earliest(a.completed_at, b.completed_at),
    seconds,
  };
};

/** Seconds spent on a topic on all devices. */
export const totalSeconds = (p: TopicProgress): number => Object.values(p.seconds).reduce((sum, s) => sum + s, 0);

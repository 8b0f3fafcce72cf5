/** How somebody stands with a step: done, late, to be done by a day, or to be done at some time. */
export const stepStates = ['done', 'late', 'due', 'open'] as const;
export type StepState = (typeof stepStates)[number];

const dayMs = 86_400_000;

/**
 * How a step stands at a time, for somebody who has been on the pathway `since` a day (YYYY-MM-DD). A step that was done stays
 * done, also when its result expires: whether they are in date is said by their compliance. It is late when its last day is over.
 */
export const stepOf = (
  { since, within_days, done_at }: { since: string; within_days: number | null; done_at: string | null },
  now: Date,
): { state: StepState; due_on: string | null } => {
  const due = within_days === null ? null : Date.parse(`${since}T00:00:00Z`) + within_days * dayMs;
  const due_on = due === null ? null : new Date(due).toISOString().slice(0, 10);
  if (done_at !== null) return { state: 'done', due_on };
  return { state: due === null ? 'open' : now.getTime() >= due + dayMs ? 'late' : 'due', due_on };
};

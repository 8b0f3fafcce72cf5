import { addDays, dayIn } from '#contract/rules/days.ts';

/** How somebody stands with a step: done, late, to be done by a day, or to be done at some time. */
export const stepStates = ['done', 'late', 'due', 'open'] as const;
export type StepState = (typeof stepStates)[number];

/**
 * How a step stands at a time, for somebody who has been on the pathway `since` a day (YYYY-MM-DD). A step that was done stays
 * done, also when its result expires: whether they are in date is said by their compliance. It is late when its last day is over
 * where their organisation is.
 */
export const stepOf = (
  { since, within_days, done_at }: { since: string; within_days: number | null; done_at: string | null },
  now: Date,
  zone: string,
): { state: StepState; due_on: string | null } => {
  const due_on = within_days === null ? null : addDays(since, within_days);
  if (done_at !== null) return { state: 'done', due_on };
  return { state: due_on === null ? 'open' : dayIn(now, zone) > due_on ? 'late' : 'due', due_on };
};

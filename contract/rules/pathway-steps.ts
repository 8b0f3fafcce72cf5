import { addDays, dayIn } from '#contract/rules/days.ts';

/** `due` has a due date, `open` has none. */
export const stepStates = ['done', 'late', 'due', 'open'] as const;
export type StepState = (typeof stepStates)[number];

/**
 * A step's state for a person on the pathway `since` a day (YYYY-MM-DD). A step that has been done stays done even after its
 * result expires, which compliance shows. A step is late once its last day has ended in the organisation's time zone.
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

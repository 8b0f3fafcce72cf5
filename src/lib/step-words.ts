import type { StepState } from '#contract/rules/pathway-steps.ts';
import { formatDay } from '#src/lib/format.ts';

/** The state of a pathway step, in words. */
export const stepWords = ({ state, done_at, due_on }: { state: StepState; done_at: string | null; due_on: string | null }): string =>
  state === 'done'
    ? done_at
      ? `Done ${formatDay(done_at)}`
      : 'Done'
    : state === 'late'
      ? due_on
        ? `Late: was due ${formatDay(due_on)}`
        : 'Late'
      : due_on
        ? `Due ${formatDay(due_on)}`
        : 'To do';

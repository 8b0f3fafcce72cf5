import type { PathwayFieldsFragment, PathwayPersonFieldsFragment } from '#src/api/generated/graphql.ts';
import { formatDay } from '#src/lib/format.ts';
import { stepWords } from '#src/lib/step-words.ts';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';

export type PathwayRow = PathwayFieldsFragment;
export type Walker = PathwayPersonFieldsFragment;
export type Step = Walker['steps'][number];

const looks = {
  done: { tone: 'ok', icon: IconCheck },
  late: { tone: 'danger', icon: IconAlert },
  due: { tone: 'warning', icon: IconClock },
  open: { tone: 'warning', icon: IconClock },
} as const;

export const doneOf = (steps: readonly Step[]): number => steps.filter((s) => s.state === 'done').length;

/** The state of a step in words, with its tone and icon. */
export const stepLook = (step: Pick<Step, 'state' | 'done_at' | 'due_on'>) => ({ ...looks[step.state], words: stepWords(step) });

/** Somebody's progress on a pathway, in one sentence: overdue steps first, then the next. */
export const standingOf = (steps: readonly Step[]): string => {
  const late = steps.filter((s) => s.state === 'late');
  const next = steps.find((s) => s.state !== 'done');
  if (late[0]) return `Late: ${late.map((s) => s.course_title).join(', ')}.`;
  if (!next) return 'All steps done.';
  return `Next: ${next.course_title}${next.due_on ? `, due ${formatDay(next.due_on)}` : ''}.`;
};

import { daysBetween } from '#contract/rules/days.ts';
import type { Mark, Register } from '#contract/entities/training-session.ts';
import { type GradingMethod, outcomeWords } from '#src/offline/kinds/register/outcome-words.ts';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';

const inWords = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
/** Today in the organisation's time zone, in the format of sessions. */
export const today = (at = correctedNow()): string => dayOf(at);

/** Today, Tomorrow, Yesterday, Mon 30 Nov, or, in another year, Mon 11 Jan 2027. */
export const dayWords = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`);
  const days = daysBetween(today(), day);
  const year = day.slice(0, 4) === today().slice(0, 4) ? '' : ` ${day.slice(0, 4)}`;
  return ['Yesterday', 'Today', 'Tomorrow'][days + 1] ?? `${inWords.format(at).replace(',', '')}${year}`;
};

/** What completes a session, in words. */
export const gradingWords = ({ grading_method, pass_mark }: Pick<Register, 'grading_method' | 'pass_mark'>): string =>
  ({
    attendance: 'done by having been there',
    practical: 'done by passing the practical part',
    pass_fail: 'done by passing',
    score: `done by a score of at least ${pass_mark}`,
    practical_theory: 'done by passing the practical and the theory',
  })[grading_method];

/** A mark in one line: Here, from 09:50, practical passed. */
export const markLine = (mark: Omit<Mark, 'id' | 'by' | 'at'>, grading?: GradingMethod): string =>
  [
    mark.presence === 'present' ? 'Here' : 'Absent',
    mark.arrived && `from ${mark.arrived}`,
    mark.left && `until ${mark.left}`,
    outcomeWords(mark, grading),
    mark.note && `“${mark.note}”`,
  ]
    .filter(Boolean)
    .join(', ');

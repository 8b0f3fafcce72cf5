import type { RoleCourse } from '#contract/entities/compliance.ts';
import { dayWords } from '#contract/rules/days.ts';
import { dayOfYearWords } from '#src/features/compliance/day-of-year.tsx';
import { countOf } from '#src/lib/format.ts';

/** Of a course that was taken away from the organisation, while a job role still asks for it. */
export const takenAway = 'Your organisation no longer has this course. It is required of nobody, until it has it again.';

/** The effective periods of a course in a job role: its own, or those of the course and the organisation. */
export const periodsOf = ({ compliance, defaults }: RoleCourse) => ({
  renewal_months: compliance?.renewal_months ?? defaults.renewal_months ?? 0,
  expiry_warning: compliance?.expiry_warning ?? defaults.expiry_warning,
  starter_period: compliance?.starter_period ?? defaults.starter_period,
});

type Renewal = { renewal_kind: RoleCourse['defaults']['renewal_kind'] | null; renewal_window?: number | null; renewal_on?: string | null };
/** How a course is renewed, in words. */
export const renewalWords = ({ renewal_kind, renewal_window, renewal_on }: Renewal): string => {
  if (renewal_kind === 'fixed')
    return renewal_on ? `by ${dayOfYearWords(renewal_on)}, the same for everyone` : 'by the same day each year, the same for everyone';
  if (renewal_kind === 'window')
    return renewal_window ? `keeping its date if renewed up to ${countOf(renewal_window, 'day')} early` : 'keeping its date if renewed early';
  return 'a number of months from completion';
};

/** The same in one line. */
export const ruleWords = (course: RoleCourse): string => {
  const { renewal_months, expiry_warning, starter_period } = periodsOf(course);
  const { renewal_kind, renewal_window, renewal_on } = course.compliance?.renewal_kind ? course.compliance : course.defaults;
  const renewed = renewal_kind && renewal_kind !== 'rolling' ? ` (${renewalWords({ renewal_kind, renewal_window, renewal_on })})` : '';
  const lasts =
    renewal_months === 0 ? 'Does not expire' : `Lasts ${countOf(renewal_months, 'month')}${renewed}, warns ${countOf(expiry_warning, 'day')} before`;
  const { required_from: from = null, required_until: until = null } = course.compliance ?? {};
  const period = [from && `from ${dayWords(from)}`, until && `until ${dayWords(until)}`].filter(Boolean).join(' ');
  return `${lasts}; new starters have ${countOf(starter_period, 'day')}${period && `; required ${period}`}`;
};

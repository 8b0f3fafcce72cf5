import type { RoleCourse } from '#contract/entities/compliance.ts';
import { countOf } from '#src/lib/format.ts';

/** What holds for a course in a job role: its own periods, or those of the course and the organisation. */
export const periodsOf = ({ compliance, defaults }: RoleCourse) => ({
  renewal_months: compliance?.renewal_months ?? defaults.renewal_months ?? 0,
  expiry_warning: compliance?.expiry_warning ?? defaults.expiry_warning,
  starter_period: compliance?.starter_period ?? defaults.starter_period,
});

/** That, in one line. */
export const ruleWords = (course: RoleCourse): string => {
  const { renewal_months, expiry_warning, starter_period } = periodsOf(course);
  const lasts =
    renewal_months === 0 ? 'Does not expire' : `Lasts ${countOf(renewal_months, 'month')}, warns ${countOf(expiry_warning, 'day')} before`;
  return `${lasts}; new starters have ${countOf(starter_period, 'day')}`;
};

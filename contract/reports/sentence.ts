import type { ChosenList, ChosenNames } from '#contract/reports/chosen.ts';
import { filterAmong, type Report } from '#contract/reports/report.ts';
import { dayWords } from '#contract/rules/days.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

type Words = Pick<Whitelabel, 'primaryComplianceAltName' | 'secondaryComplianceAltName'>;
type Filter = Readonly<Record<string, unknown>>;

const mostNamed = 3;
/** Several names in a sentence; beyond three they are counted. */
const listed = (names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string => {
  const shown = names.length > mostNamed + 1 ? [...names.slice(0, mostNamed), `${names.length - mostNamed} more`] : names;
  return new Intl.ListFormat('en-GB', { type }).format(shown);
};
const inside = (name: string): string => (/^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name);
const statusWords: Record<string, string> = {
  in_date: 'in date',
  expiring: 'expiring',
  expired: 'expired',
  starter: 'still to be done by new starters',
  missing: 'missing',
  replaced: 'replaced',
  pending: 'awaiting approval',
  rejected: 'rejected',
};
/** The states of a person who does not have the course. */
const notHeld = new Set(['missing', 'expired', 'starter']);
const periods: Record<string, string> = { today: 'today', last_week: 'in the last 7 days', last_month: 'in the last month' };
const dates: Record<string, string> = { completed: 'completed', expires: 'expiring', recorded: 'recorded' };
const others: readonly [field: string, words: Record<string, string>][] = [
  ['new_starters_filter', { exclude_new_starters: 'without new starters', new_starters_only: 'new starters only' }],
  ['inspectable', { inspectable: 'in job roles that are inspected', not_inspectable: 'in job roles that are not inspected' }],
  ['care_certificate_filter', { in_progress: 'with a care certificate in progress', complete: 'with a complete care certificate' }],
  ['assessment_filter', { exclude_assessments: 'without assessments', assessments_only: 'assessments only' }],
  ['admin_only_filter', { exclude_admin_only: 'without what the office entered', admin_only_only: 'only what the office entered' }],
];
const typeWords: Record<string, string> = {
  elearning: 'e-learning',
  exempt: 'exemptions',
  face2face: 'face-to-face training',
  historical: 'historical training',
  scorm: 'course packages',
  assessment: 'assessments',
  pathway: 'pathways',
  unknown: 'other training',
};

const period = ({ date_by, period: within, from_date: from, to_date: to }: Filter): string => {
  const phrase =
    from && to
      ? `from ${dayWords(String(from))} to ${dayWords(String(to))}`
      : from
        ? `from ${dayWords(String(from))}`
        : to
          ? `until ${dayWords(String(to))}`
          : periods[String(within)];
  return phrase ? `${dates[String(date_by)] ?? dates.completed} ${phrase}` : '';
};

/**
 * A report's filter as a sentence: “Night staff without moving and assisting, without new starters”. Defaults are left out. `names`: of the
 * chosen values; those without a name were deleted and are left out. Pure.
 */
export const sentenceOf = (filter: Filter, names: ChosenNames, words: Words): string => {
  const named = (list: ChosenList) => (names[list] ?? []).map((n) => n.name);
  const is = (field: string, value: unknown) => filter[field] === value;
  const whom = [...named('users'), ...(named('users').length > 0 ? [] : named('roles'))];
  const atEntities = named('entities').length > 0 ? ` at ${listed(named('entities'))}` : '';
  const tagged = named('tags').length > 0 ? ` tagged ${listed(named('tags'), 'disjunction')}` : '';
  const who = `${whom.length > 0 ? listed(whom) : 'Everybody'}${atEntities}${tagged}`;

  const courses = [...named('courses'), ...named('pathways')].map(inside);
  const statuses = Array.isArray(filter.includeStatusTypes) ? (filter.includeStatusTypes as string[]) : [];
  const states = listed(
    statuses.map((s) => statusWords[s] ?? s),
    'disjunction',
  );
  const lacks = statuses.includes('missing') && statuses.every((s) => notHeld.has(s));
  const what =
    courses.length > 0 && lacks
      ? ` without ${listed(courses, 'disjunction')}`
      : courses.length > 0
        ? ` and ${listed(courses)}${statuses.length > 0 ? `: ${states}` : ''}`
        : statuses.length > 0
          ? ` whose training is ${states}`
          : '';
  const more = [
    is('never_logged_in_only', true) && 'who have never signed in',
    ...others.map(([field, meant]) => meant[String(filter[field])]),
    is('compliance_type', 'secondary') && `${words.secondaryComplianceAltName} training`,
    is('compliance_type', 'all') && `${words.primaryComplianceAltName} and ${words.secondaryComplianceAltName} training`,
    typeof filter.course_type === 'string' && typeWords[filter.course_type],
    typeof filter.grade === 'number' && `with at least ${filter.grade} %`,
    typeof filter.previousMonths === 'number' &&
      filter.previousMonths !== 12 &&
      (filter.previousMonths === 1 ? 'the last month' : `the last ${filter.previousMonths} months`),
    period(filter),
  ].filter((part): part is string => Boolean(part));
  return [`${who}${what}`, ...more].join(', ');
};

/** The same for the filter of any report: one that chooses no people describes itself. */
export const presetSentence = (report: Report, values: Filter, names: ChosenNames, words: Words): string => {
  const ownFilter = filterAmong(report, values);
  if (!ownFilter) return '';
  return 'entities' in ownFilter ? sentenceOf(ownFilter, names, words) : report.describe(ownFilter);
};

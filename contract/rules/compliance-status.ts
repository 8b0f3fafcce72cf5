import type { CoursePartName, Done } from '#contract/rules/counting-result.ts';
import { addDays, dayIn, daysBetween, dayWords, endOfDay, isOver, startOfDay } from '#contract/rules/days.ts';

/** Compliance statuses. Only `expired` and `missing` are red; `expiring` and `starter` are amber, `in_date` is green. */
export const complianceStatuses = ['in_date', 'expiring', 'expired', 'starter', 'missing', 'lapsed', 'not_required'] as const;
export type ComplianceStatus = (typeof complianceStatuses)[number];

/** The colours of the statuses; `none` if nothing is required. */
export const complianceColours = ['green', 'amber', 'red', 'none'] as const;
export const complianceColourOf: Record<ComplianceStatus, (typeof complianceColours)[number]> = {
  ...{ in_date: 'green', expiring: 'amber', starter: 'amber', expired: 'red', missing: 'red', lapsed: 'none', not_required: 'none' },
};

/** A part of a course, and the result that counts for it. */
export type PartFacts = { name: CoursePartName; title: string; result: Done | null };
/** The facts about one person and one course. Periods in days; days as YYYY-MM-DD, instants in UTC. */
export type ComplianceFacts = {
  /** Whether the person's job role requires the course, at some time. */
  required: boolean;
  /** The first and the last day on which the requirement applies; absent if it always does. */
  required_from?: string | null;
  required_until?: string | null;
  /** The day on which the requirement was made; absent if it has always been there. */
  required_since?: string | null;
  started_on: string;
  starter_period: number;
  expiry_warning: number;
  /** The time zone of their organisation, which determines days. */
  zone: string;
  /** The counting result (`countingOf`). Without `expires_at` it does not expire. */
  result: Done | null;
  /** The course of the result, if it is an alternative. */
  through?: string | null;
  /** For a course of two parts. */
  parts?: readonly PartFacts[] | null;
};
/** `due_at`: until the end of which day the course must be done or renewed; null for never. `reason`: an explanation in one or two sentences. */
export type Compliance = { status: ComplianceStatus; due_at: string | null; reason: string };

const daysOf = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`;

/** Whether a requirement applies: now, later, or no longer; null without a requirement. */
export const askedAt = (
  facts: Pick<ComplianceFacts, 'required' | 'required_from' | 'required_until' | 'zone'>,
  now: Date,
): 'now' | 'later' | 'over' | null => {
  const { required, required_from: from, required_until: until, zone } = facts;
  if (!required) return null;
  if (!from && !until) return 'now';
  const today = dayIn(now, zone);
  return until && today > until ? 'over' : from && today < from ? 'later' : 'now';
};

/** The numbers of the statuses: their indexes in the list. */
export const statusNumber = Object.fromEntries(complianceStatuses.map((status, i) => [status, i])) as Record<ComplianceStatus, number>;
const { in_date, expiring, expired, starter, missing, lapsed, not_required } = statusNumber;

/**
 * The number of the status if only the course's own result counts, for large numbers of cells. All as numbers of days: `due` the last on which a
 * starter is in time, `expires` the last of the result (Infinity: never; NaN: no result), `warning` the length of the warning period.
 */
export const statusNumberOn = (required: boolean, due: number, expires: number, warning: number, today: number): number => {
  if (expires < today) return required ? expired : lapsed;
  if (expires >= today) return expires - today <= warning ? expiring : in_date;
  return !required ? not_required : due < today ? missing : starter;
};

/**
 * A person's compliance status for a course, with the reason. Lists, screens and reports all use this rule. Source: the
 * specification (starter period, expiry warning) and the practice of care providers.
 */
export const complianceOf = (facts: ComplianceFacts, now: Date): Compliance => {
  const { expiry_warning, zone, result, through, parts, required_from: from, required_until: until } = facts;
  const day = (instant: string) => dayWords(dayIn(instant, zone));
  const phase = askedAt(facts, now);
  const required = phase === 'now';
  const when =
    phase === 'later' && from
      ? ` It is required from ${dayWords(from)}.`
      : phase === 'over' && until
        ? ` It was required until ${dayWords(until)}.`
        : '';
  // A starter whose part or alternative has expired has as much time as one who has not done the course yet.
  const stillNew = required && (parts || through) && result && hasEnded(result, now, zone) && !isOver(dueOf(facts).due_at, now, zone);
  if (result && !stillNew) {
    const { completed_at, expires_at } = result;
    const paired = parts && !through && !result.exempt;
    const done = result.exempt
      ? `Exempt since ${day(completed_at)}${through ? ` from “${through}”, which counts as well` : ''}`
      : paired
        ? `Both parts completed, the last on ${day(completed_at)}`
        : `Completed on ${day(completed_at)}${through ? ` by “${through}”, which counts as well` : ''}`;
    if (expires_at === null)
      return { status: 'in_date', due_at: null, reason: `${done}. It ${result.exempt ? 'has no end' : 'does not expire'}.${when}` };
    const last = paired ? parts.find((p) => p.result?.expires_at === expires_at) : null;
    const ends = last ? ` That is when the ${last.name} part, “${last.title}”, expires.` : '';
    const ended = last ? ` The ${last.name} part, “${last.title}”, has to be completed again.` : ' It must be completed again.';
    // In days from today.
    const left = daysBetween(dayIn(now, zone), dayIn(expires_at, zone));
    const status = complianceStatuses[statusNumberOn(required, 0, left, expiry_warning, 0)] as ComplianceStatus;
    if (status === 'lapsed')
      return { status, due_at: null, reason: `${done}, expired on ${day(expires_at)}.${when || ' It is no longer required.'}` };
    if (status === 'expired') return { status, due_at: expires_at, reason: `${done}, expired on ${day(expires_at)}.${ended}` };
    if (status === 'expiring')
      return {
        ...{ status, due_at: expires_at },
        reason: `${done}, expires on ${day(expires_at)}: within ${daysOf(expiry_warning)}.${ends}${when}`,
      };
    return { status, due_at: expires_at, reason: `${done}, in date until ${day(expires_at)}.${ends}${when}` };
  }
  if (!required) return { status: 'not_required', due_at: null, reason: when ? `Not required now.${when}` : 'Not required for this job role.' };
  const { due_at, since, isNew } = dueOf(facts);
  const lacks = parts?.some((p) => p.result) ? `${partsInWords(parts, day, now, zone)} ` : parts ? 'Neither of its two parts was completed. ' : '';
  return isOver(due_at, now, zone)
    ? { status: 'missing', due_at, reason: `${lacks || 'Never completed. '}It was due on ${day(due_at)}, ${since}.` }
    : { status: 'starter', due_at, reason: `${lacks}${isNew ? 'New starter: due' : 'Due'} on ${day(due_at)}, ${since}.` };
};

const hasEnded = ({ expires_at }: Done, now: Date, zone: string): boolean => expires_at !== null && isOver(expires_at, now, zone);
const partsInWords = (parts: readonly PartFacts[], day: (instant: string) => string, now: Date, zone: string): string => {
  const sentences = parts.map(({ name, title, result }) => {
    const became = !result
      ? 'was never completed'
      : hasEnded(result, now, zone) && result.expires_at
        ? `expired on ${day(result.expires_at)}`
        : result.exempt
          ? `is covered by an exemption since ${day(result.completed_at)}`
          : `was completed on ${day(result.completed_at)}`;
    return `the ${name} part, “${title}”, ${became}`;
  });
  const words = sentences.join('; ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** Whether somebody is a new starter on a day: to the end of the last day of their organisation's starter period. */
export const isStarterOn = ({ started_on, starter_period }: { started_on: string; starter_period: number }, today: string): boolean =>
  addDays(started_on, starter_period) >= today;

type DueFacts = Pick<ComplianceFacts, 'started_on' | 'starter_period' | 'required_from' | 'required_since'>;
/**
 * The last day on which somebody who has not done a course is in time: so many days after they started, or after the requirement was made if that
 * is later, and never before the first day of the requirement.
 */
export const dueDay = ({ started_on, starter_period, required_from, required_since }: DueFacts): string => {
  const counted = addDays(required_since && required_since > started_on ? required_since : started_on, starter_period);
  return required_from && required_from > counted ? required_from : counted;
};
/** The first due date of a course, with the reason. */
const dueOf = (facts: ComplianceFacts) => {
  const { started_on, starter_period, zone, required_from: from, required_since } = facts;
  const last = dueDay(facts);
  const isLater = Boolean(required_since && required_since > started_on);
  const fromFirstDay = last === from && addDays(isLater ? (required_since as string) : started_on, starter_period) < from;
  const since = fromFirstDay
    ? 'the day from which it is required'
    : isLater
      ? `${daysOf(starter_period)} after it was first required, on ${dayWords(required_since as string)}`
      : `${daysOf(starter_period)} after the start date, ${dayWords(started_on)}`;
  return { due_at: endOfDay(last, zone), since, isNew: !fromFirstDay && !isLater };
};

/** The instants at which the status of these facts can change, in milliseconds: always the start of a day. `complianceOf` gives the status from then on. */
export const statusChangesAt = (facts: ComplianceFacts): number[] => {
  const { required, required_from: from, required_until: until, expiry_warning, zone, result, through, parts } = facts;
  const days: string[] = [];
  if (required && from) days.push(from);
  if (required && until) days.push(addDays(until, 1));
  if (required && (result === null || through || parts)) days.push(addDays(dueDay(facts), 1));
  if (result?.expires_at) {
    const last = dayIn(result.expires_at, zone);
    days.push(addDays(last, -expiry_warning), addDays(last, 1));
  }
  return days.map((day) => Date.parse(startOfDay(day, zone)));
};

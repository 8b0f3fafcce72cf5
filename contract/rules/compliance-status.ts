import type { CoursePartName, Done } from '#contract/rules/counting-result.ts';
import { addDays, dayIn, dayWords, startOfDay } from '#contract/rules/days.ts';

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
/** `due_at`: when the course must be done or renewed; null for never. `reason`: an explanation in one or two sentences. */
export type Compliance = { status: ComplianceStatus; due_at: string | null; reason: string };

const dayMs = 86_400_000;
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
 * The number of the status if only the course's own result counts, for large numbers of cells. All times in one unit: `due` when a starter must
 * have done it, `expires` the end of the result (Infinity: never; NaN: no result), `warning` the length of the warning period.
 */
export const statusNumberAt = (required: boolean, due: number, expires: number, warning: number, now: number): number => {
  if (expires <= now) return required ? expired : lapsed;
  if (expires > now) return expires - now <= warning ? expiring : in_date;
  return !required ? not_required : due <= now ? missing : starter;
};
const statusAt = (...facts: Parameters<typeof statusNumberAt>): ComplianceStatus => complianceStatuses[statusNumberAt(...facts)] as ComplianceStatus;

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
  const stillNew = required && (parts || through) && result && isOver(result, now) && Date.parse(dueOf(facts).due_at) > now.getTime();
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
    const status = statusAt(required, 0, Date.parse(expires_at), expiry_warning * dayMs, now.getTime());
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
  const { due_at, since, fromFirstDay } = dueOf(facts);
  const lacks = parts?.some((p) => p.result) ? `${partsInWords(parts, day, now)} ` : parts ? 'Neither of its two parts was completed. ' : '';
  return statusAt(true, Date.parse(due_at), Number.NaN, 0, now.getTime()) === 'missing'
    ? { status: 'missing', due_at, reason: `${lacks || 'Never completed. '}It was due on ${day(due_at)}, ${since}.` }
    : { status: 'starter', due_at, reason: `${lacks}${fromFirstDay ? 'Due' : 'New starter: due'} on ${day(due_at)}, ${since}.` };
};

const isOver = ({ expires_at }: Done, now: Date): boolean => expires_at !== null && Date.parse(expires_at) <= now.getTime();
const partsInWords = (parts: readonly PartFacts[], day: (instant: string) => string, now: Date): string => {
  const sentences = parts.map(({ name, title, result }) => {
    const became = !result
      ? 'was never completed'
      : isOver(result, now) && result.expires_at
        ? `expired on ${day(result.expires_at)}`
        : result.exempt
          ? `is covered by an exemption since ${day(result.completed_at)}`
          : `was completed on ${day(result.completed_at)}`;
    return `the ${name} part, “${title}”, ${became}`;
  });
  const words = sentences.join('; ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** The first due date of a course, with the reason. */
const dueOf = ({ started_on, starter_period, zone, required_from: from }: ComplianceFacts) => {
  const starterUntil = startOfDay(addDays(started_on, starter_period), zone);
  const first = from ? startOfDay(from, zone) : '';
  const fromFirstDay = starterUntil < first;
  const since = fromFirstDay ? 'the day from which it is required' : `${daysOf(starter_period)} after the start date, ${dayWords(started_on)}`;
  return { due_at: fromFirstDay ? first : starterUntil, since, fromFirstDay };
};

/** The instants at which the status of these facts can change, in milliseconds; `complianceOf` gives the status from then on. */
export const statusChangesAt = (facts: ComplianceFacts): number[] => {
  const { required, required_from: from, required_until: until, expiry_warning, zone, result, through, parts } = facts;
  const changes: number[] = [];
  if (required && from) changes.push(Date.parse(startOfDay(from, zone)));
  if (required && until) changes.push(Date.parse(startOfDay(addDays(until, 1), zone)));
  if (required && (result === null || through || parts)) changes.push(Date.parse(dueOf(facts).due_at));
  const expires = result?.expires_at ? Date.parse(result.expires_at) : null;
  if (expires !== null) changes.push(expires - expiry_warning * dayMs, expires);
  return changes;
};

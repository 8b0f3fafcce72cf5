import { addDays, dayIn, dayWords, startOfDay } from '#contract/rules/days.ts';

/** Compliance statuses. Only `expired` and `missing` are red; `expiring` and `starter` are amber, `in_date` is green. */
export const complianceStatuses = ['in_date', 'expiring', 'expired', 'starter', 'missing', 'lapsed', 'not_required'] as const;
export type ComplianceStatus = (typeof complianceStatuses)[number];

/** The colours of the statuses; `none` where nothing is required. */
export const complianceColours = ['green', 'amber', 'red', 'none'] as const;
export const complianceColourOf: Record<ComplianceStatus, (typeof complianceColours)[number]> = {
  ...{ in_date: 'green', expiring: 'amber', starter: 'amber', expired: 'red', missing: 'red', lapsed: 'none', not_required: 'none' },
};

/** The facts about one person and one course. Periods in days; `started_on` as YYYY-MM-DD, instants in UTC. */
export type ComplianceFacts = {
  /** Whether the person's job role requires the course. */
  required: boolean;
  started_on: string;
  starter_period: number;
  expiry_warning: number;
  /** The time zone of their organisation, which determines days. */
  zone: string;
  /** The latest result. Without `expires_at` it does not expire. */
  result: { completed_at: string; expires_at: string | null } | null;
};
/** `due_at`: when the course must be done or renewed; null for never. `reason`: an explanation in one or two sentences. */
export type Compliance = { status: ComplianceStatus; due_at: string | null; reason: string };

const dayMs = 86_400_000;
const daysOf = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`;

/**
 * A person's compliance status for a course, with the reason. Lists, screens and reports all use this rule. Source: the
 * specification (starter period, expiry warning) and the practice of care providers.
 */
export const complianceOf = ({ required, started_on, starter_period, expiry_warning, zone, result }: ComplianceFacts, now: Date): Compliance => {
  const day = (instant: string) => dayWords(dayIn(instant, zone));
  if (result) {
    const { completed_at, expires_at } = result;
    const done = `Completed on ${day(completed_at)}`;
    if (expires_at === null) return { status: 'in_date', due_at: null, reason: `${done}. It does not expire.` };
    const left = Date.parse(expires_at) - now.getTime();
    if (left <= 0 && !required)
      return { status: 'lapsed', due_at: null, reason: `${done}, expired on ${day(expires_at)}. It is no longer required.` };
    if (left <= 0) return { status: 'expired', due_at: expires_at, reason: `${done}, expired on ${day(expires_at)}. It must be completed again.` };
    if (left <= expiry_warning * dayMs)
      return { status: 'expiring', due_at: expires_at, reason: `${done}, expires on ${day(expires_at)}: within ${daysOf(expiry_warning)}.` };
    return { status: 'in_date', due_at: expires_at, reason: `${done}, in date until ${day(expires_at)}.` };
  }
  if (!required) return { status: 'not_required', due_at: null, reason: 'Not required for this job role.' };
  const due_at = startOfDay(addDays(started_on, starter_period), zone);
  const since = `${daysOf(starter_period)} after the start date, ${dayWords(started_on)}`;
  return Date.parse(due_at) <= now.getTime()
    ? { status: 'missing', due_at, reason: `Never completed. It was due on ${day(due_at)}, ${since}.` }
    : { status: 'starter', due_at, reason: `New starter: due on ${day(due_at)}, ${since}.` };
};

/** The instants at which the status of these facts can change, in milliseconds; `complianceOf` says what it is from then on. */
export const statusChangesAt = ({ required, started_on, starter_period, expiry_warning, zone, result }: ComplianceFacts): number[] => {
  if (result === null) return required ? [Date.parse(startOfDay(addDays(started_on, starter_period), zone))] : [];
  if (result.expires_at === null) return [];
  const expires = Date.parse(result.expires_at);
  return [expires - expiry_warning * dayMs, expires];
};

import {
  type ComplianceFacts,
  type ComplianceStatus,
  complianceColourOf,
  type complianceColours,
  complianceOf,
  statusChangesAt,
} from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, daysBetween, startOfDay } from '#contract/rules/days.ts';

/** So many days ahead a forecast looks. */
export const forecastDays = [30, 60, 90] as const;
export type ForecastDays = (typeof forecastDays)[number];
const furthest = 90;
const dayMs = 86_400_000;

type Colour = (typeof complianceColours)[number];
/** From a day on somebody stands otherwise with a course than before. `in_days`: 0 is today. */
export type Turn = { to: Colour; in_days: number; on: string; status: ComplianceStatus; reason: string };

/**
 * How the colour of a person and a course changes from now to the end of the day `days` ahead if nobody does anything, in order of time: what
 * `complianceOf` says at each instant at which it can change.
 */
export const turnsOf = (facts: ComplianceFacts, now: Date, days: number = furthest): Turn[] => {
  const from = now.getTime();
  const near = statusChangesAt(facts).filter((at) => at > from && at < from + (days + 2) * dayMs);
  if (near.length === 0) return [];
  const { zone } = facts;
  const today = dayIn(now, zone);
  const end = Date.parse(startOfDay(addDays(today, days + 1), zone));
  let colour = complianceColourOf[complianceOf(facts, now).status];
  return near
    .filter((at) => at < end)
    .sort((a, b) => a - b)
    .flatMap((instant) => {
      const at = new Date(instant);
      const { status, reason } = complianceOf(facts, at);
      const to = complianceColourOf[status];
      if (to === colour) return [];
      colour = to;
      const on = dayIn(at, zone);
      return [{ to, in_days: daysBetween(today, on), on, status, reason }];
    });
};

/**
 * False where nothing can change in the days ahead for somebody of whom only the course's own result counts: with most courses nothing happens,
 * and the whole rule need not be asked. `expires` in seconds since 1970, Infinity for never, NaN without a result. A day more on each side
 * stands for all time zones.
 */
export const mayTurn = (
  expires: number,
  { starter_period, expiry_warning }: Pick<ComplianceFacts, 'starter_period' | 'expiry_warning'>,
  startsInDays: number,
  now: Date,
): boolean => {
  const isNear = (inDays: number) => inDays >= -1 && inDays <= furthest + 2;
  if (Number.isNaN(expires)) return isNear(startsInDays + starter_period);
  const inDays = (expires * 1000 - now.getTime()) / dayMs;
  return isNear(inDays) || isNear(inDays - expiry_warning);
};

/** What a forecast counts: who turns red or amber, who starts, and who of all these has a place on a session by then. */
export const forecastGroups = ['red', 'amber', 'starters', 'booked'] as const;
export type ForecastGroup = (typeof forecastGroups)[number];
/** One person and one course in a forecast. */
type Line = {
  user: { id: string };
  colour: Colour;
  turns: readonly Pick<Turn, 'to' | 'in_days' | 'status'>[];
  /** In how many days somebody who is to do the course starts; null where they have started. */
  starts_in_days: number | null;
  booked: { in_days: number } | null;
};

/** How a person will stand with a course at the end of the day `days` ahead, where that is worse than green and not as now; else null. */
export const turnBy = <T extends Line>({ colour, turns }: T, days: number): T['turns'][number] | null => {
  const last = turns.findLast((t) => t.in_days <= days);
  return last && last.to !== colour && (last.to === 'red' || last.to === 'amber') ? last : null;
};

/** Whether a person and a course are among those that a forecast counts there. Each is either red or amber, once. */
export const isAmong = (line: Line, group: ForecastGroup, days: number): boolean => {
  const turn = turnBy(line, days);
  const starts = line.starts_in_days !== null && line.starts_in_days <= days;
  if (group === 'starters') return starts;
  if (group === 'booked') return (turn !== null || starts) && line.booked !== null && line.booked.in_days <= days;
  return turn?.to === group;
};

/** `lines`: each person once a course. `people`: each person once. */
export type ForecastCount = { lines: number; people: number };
export type ForecastFigure = { days: ForecastDays } & Record<ForecastGroup | 'starters_due', ForecastCount>;

/** The numbers of a forecast for each of the days ahead. `starters_due`: who of the red are starters whose time is over by then. */
export const figuresOf = (lines: readonly Line[]): ForecastFigure[] =>
  forecastDays.map((days) => {
    const count = (is: (line: Line) => boolean): ForecastCount => {
      const found = lines.filter(is);
      return { lines: found.length, people: new Set(found.map((l) => l.user.id)).size };
    };
    const of = (group: ForecastGroup) => count((line) => isAmong(line, group, days));
    return {
      ...{ days, red: of('red'), amber: of('amber'), starters: of('starters'), booked: of('booked') },
      starters_due: count((line) => turnBy(line, days)?.status === 'missing'),
    };
  });

import {
  type ComplianceFacts,
  type ComplianceStatus,
  complianceColourOf,
  type complianceColours,
  complianceOf,
  statusChangesAt,
} from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, daysBetween, startOfDay } from '#contract/rules/days.ts';

/** How many days ahead a forecast looks. */
export const forecastDays = [30, 60, 90] as const;
export type ForecastDays = (typeof forecastDays)[number];
const furthest = 90;
const dayMs = 86_400_000;

type Colour = (typeof complianceColours)[number];
/** A change of somebody's status in a course. `in_days`: 0 is today. */
export type Turn = { to: Colour; in_days: number; on: string; status: ComplianceStatus; reason: string };

/**
 * The changes of a person's colour in a course until the end of the day `days` ahead if nobody does anything, in order of time:
 * `complianceOf` at each instant at which it can change.
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
      const nextColour = complianceColourOf[status];
      if (nextColour === colour) return [];
      colour = nextColour;
      const on = dayIn(at, zone);
      return [{ to: nextColour, in_days: daysBetween(today, on), on, status, reason }];
    });
};

/**
 * False if nothing can change in the coming days for a person for whom only the course's own result counts: true for most courses, so that
 * the full rule need not run. `expires` in seconds since 1970, Infinity for never, NaN without a result; `dueIn`: in how many days the course is
 * due for somebody without one. One extra day on each side covers all time zones.
 */
export const mayTurn = (expires: number, dueIn: number, warning: number, now: Date): boolean => {
  const isNear = (inDays: number) => inDays >= -1 && inDays <= furthest + 2;
  if (Number.isNaN(expires)) return isNear(dueIn);
  const inDays = (expires * 1000 - now.getTime()) / dayMs;
  return isNear(inDays) || isNear(inDays - warning);
};

/** What a forecast counts: who turns red or amber, who starts, and how many of all these have a place on a session by then. */
export const forecastGroups = ['red', 'amber', 'starters', 'booked'] as const;
export type ForecastGroup = (typeof forecastGroups)[number];
/** One person and one course in a forecast. */
type Line = {
  user: { id: string };
  colour: Colour;
  turns: readonly Pick<Turn, 'to' | 'in_days' | 'status'>[];
  /** In how many days the requirement starts; null if it has started. */
  starts_in_days: number | null;
  booked: { in_days: number } | null;
};

/** A person's status in a course at the end of the day `days` ahead, if it is not green and differs from now; otherwise null. */
export const turnBy = <T extends Line>({ colour, turns }: T, days: number): T['turns'][number] | null => {
  const last = turns.findLast((t) => t.in_days <= days);
  return last && last.to !== colour && (last.to === 'red' || last.to === 'amber') ? last : null;
};

/** Whether a forecast counts a person and a course under this heading. Each is either red or amber, once. */
export const isAmong = (line: Line, group: ForecastGroup, days: number): boolean => {
  const turn = turnBy(line, days);
  const starts = line.starts_in_days !== null && line.starts_in_days <= days;
  if (group === 'starters') return starts;
  if (group === 'booked') return (turn !== null || starts) && line.booked !== null && line.booked.in_days <= days;
  return turn?.to === group;
};

/** `lines`: each person once per course. `people`: each person once. */
export type ForecastCount = { lines: number; people: number };
export type ForecastFigure = { days: ForecastDays } & Record<ForecastGroup | 'starters_due', ForecastCount>;

/** The numbers of a forecast for each period. `starters_due`: how many of the red are starters whose time has ended by then. */
export const figuresOf = (lines: readonly Line[]): ForecastFigure[] =>
  forecastDays.map((days) => {
    const count = (is: (line: Line) => boolean): ForecastCount => {
      const found = lines.filter(is);
      return { lines: found.length, people: new Set(found.map((l) => l.user.id)).size };
    };
    const countIn = (group: ForecastGroup) => count((line) => isAmong(line, group, days));
    return {
      ...{ days, red: countIn('red'), amber: countIn('amber'), starters: countIn('starters'), booked: countIn('booked') },
      starters_due: count((line) => turnBy(line, days)?.status === 'missing'),
    };
  });

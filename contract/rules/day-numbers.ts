import { dayIn, timeIn } from '#contract/rules/days.ts';

const dayMs = 86_400_000;
const daySeconds = 86_400;
/** A day as a number of days since 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** For a day in UTC: the local day at its start, and the second at which the next local day begins. */
type Turn = readonly [day: number, turns: number];
/** The number of days that fit in four bytes of seconds: up to the year 2106. */
const daysKept = 49_711;
const zones = new Map<string, { first: Int32Array; turns: Int32Array }>();

const turnOf = (zone: string, utcDay: number): Turn => {
  const at = (seconds: number) => new Date(utcDay * dayMs + seconds * 1000);
  const dayAt = (seconds: number) => dayNumber(dayIn(at(seconds), zone));
  const offsetAt = (seconds: number) => {
    const [hours = 0, minutes = 0] = timeIn(at(seconds), zone).split(':').map(Number);
    return dayAt(seconds) * daySeconds + hours * 3600 + minutes * 60 - utcDay * daySeconds - seconds;
  };
  const first = dayAt(0);
  const last = daySeconds - 60;
  if (offsetAt(0) === offsetAt(last)) {
    const turns = (first + 1 - utcDay) * daySeconds - offsetAt(0);
    return [first, Math.min(turns, daySeconds)];
  }
  // The clock changes on that day.
  let low = 0;
  let high = daySeconds;
  if (dayAt(daySeconds - 1) === first) return [first, daySeconds];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (dayAt(middle) === first) low = middle;
    else high = middle;
  }
  return [first, high];
};

/**
 * The day of an instant in a time zone, as a number of days since 1970, for large numbers of instants: the same as `dayIn`, much faster.
 * `seconds` are seconds since 1970, until 2106.
 */
export const dayNumbersIn = (zone: string): ((seconds: number) => number) => {
  const known = zones.get(zone) ?? { first: new Int32Array(daysKept), turns: new Int32Array(daysKept) };
  zones.set(zone, known);
  const { first, turns } = known;
  return (seconds) => {
    const utcDay = Math.min(Math.max(0, Math.floor(seconds / daySeconds)), daysKept - 1);
    // Not looked up yet: no second of it can match.
    if (turns[utcDay] === 0) [first[utcDay], turns[utcDay]] = turnOf(zone, utcDay);
    const day = first[utcDay] as number;
    return seconds - utcDay * daySeconds < (turns[utcDay] as number) ? day : day + 1;
  };
};

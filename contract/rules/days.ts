/**
 * Days and times of day, as they are where an organisation is. The one place that turns an instant into a day: screens, reasons,
 * documents and tables ask here, so that one thing has one day wherever it is shown. A day is YYYY-MM-DD, a time HH:MM, an instant
 * ISO in UTC. Pure.
 */
export const defaultTimeZone = 'Europe/London';

const dayMs = 86_400_000;
const quarterMs = 900_000;
const pad = (n: number, length = 2) => String(n).padStart(length, '0');

export const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return /^[A-Z]/.test(zone);
  } catch {
    return false;
  }
};

type Zone = { parts: Intl.DateTimeFormat; offsets: Map<number, number> };
const zones = new Map<string, Zone>();
const keptOffsets = 4096;
const zoneOf = (name: string): Zone => {
  const known = zones.get(name);
  if (known) return known;
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: name, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const zone = { parts, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
};

/** How far the clocks of a zone are ahead of UTC, in milliseconds. They are only ever changed at a quarter of an hour, so one answer holds for each. */
const offsetAt = (time: number, name: string): number => {
  const { parts, offsets } = zoneOf(name);
  const quarter = Math.floor(time / quarterMs);
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  const at = quarter * quarterMs;
  const of = Object.fromEntries(parts.formatToParts(at).map((p) => [p.type, Number(p.value)]));
  const local = Date.UTC(of.year as number, (of.month as number) - 1, of.day, of.hour, of.minute, of.second);
  if (offsets.size >= keptOffsets) offsets.clear();
  offsets.set(quarter, local - at);
  return local - at;
};

const msOf = (instant: string | Date): number => (typeof instant === 'string' ? Date.parse(instant) : instant.getTime());
const local = (instant: string | Date, zone: string): string => {
  const time = msOf(instant);
  return new Date(time + offsetAt(time, zone)).toISOString();
};

/** The day that it is in a zone at an instant. */
export const dayIn = (instant: string | Date, zone: string): string => local(instant, zone).slice(0, 10);
/** What a clock on the wall there shows. */
export const timeIn = (instant: string | Date, zone: string): string => local(instant, zone).slice(11, 16);

/**
 * The instant at which it is that day and time in a zone. A time that the clocks leave out is as much later as they jump; of one that
 * comes twice the first is meant.
 */
export const instantOf = (day: string, time: string, zone: string): string => {
  const wall = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  const before = offsetAt(wall - dayMs, zone);
  const candidates = [wall - before, wall - offsetAt(wall + dayMs, zone)].filter((t) => t + offsetAt(t, zone) === wall);
  return new Date(candidates.length > 0 ? Math.min(...candidates) : wall - before).toISOString();
};
/** When a day begins there. */
export const startOfDay = (day: string, zone: string): string => instantOf(day, '00:00', zone);

/** A day some days later, or earlier. */
export const addDays = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
/** How many days it is from one to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
/** The same day some months later; the last day of the month where that month is shorter. */
export const addMonthsToDay = (day: string, months: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${pad(first.getUTCFullYear(), 4)}-${pad(first.getUTCMonth() + 1)}-${pad(Math.min(date, last))}`;
};
/** The same day and time of day in a zone some months later; the last day of the month where that month is shorter. */
export const addMonths = (instant: string, months: number, zone: string): string => {
  const at = local(instant, zone);
  return instantOf(addMonthsToDay(at.slice(0, 10), months), at.slice(11, 23), zone);
};

/** 21/11/2026 */
export const dayWords = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;

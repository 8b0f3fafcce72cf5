/**
 * Days and times in an organisation's time zone. Every conversion of an instant to a day is here, so that screens, reasons,
 * documents and tables agree. A day is YYYY-MM-DD, a time HH:MM, an instant ISO in UTC. Pure.
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

/** A zone's offset from UTC in milliseconds. Offsets change only at a quarter of an hour, so one value per quarter is cached. */
const offsetAt = (time: number, name: string): number => {
  const { parts, offsets } = zoneOf(name);
  const quarter = Math.floor(time / quarterMs);
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  const at = quarter * quarterMs;
  const fields = Object.fromEntries(parts.formatToParts(at).map((p) => [p.type, Number(p.value)]));
  const local = Date.UTC(fields.year as number, (fields.month as number) - 1, fields.day, fields.hour, fields.minute, fields.second);
  if (offsets.size >= keptOffsets) offsets.clear();
  offsets.set(quarter, local - at);
  return local - at;
};

const msOf = (instant: string | Date): number => (typeof instant === 'string' ? Date.parse(instant) : instant.getTime());
const local = (instant: string | Date, zone: string): string => {
  const time = msOf(instant);
  return new Date(time + offsetAt(time, zone)).toISOString();
};

/** The day of an instant in a zone. */
export const dayIn = (instant: string | Date, zone: string): string => local(instant, zone).slice(0, 10);
/** The local time of an instant in a zone. */
export const timeIn = (instant: string | Date, zone: string): string => local(instant, zone).slice(11, 16);

/**
 * The instant of a local day and time. A time skipped by a clock change is moved forward by the length of the gap; of a repeated
 * time, the first is used.
 */
export const instantOf = (day: string, time: string, zone: string): string => {
  const wall = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  const before = offsetAt(wall - dayMs, zone);
  const candidates = [wall - before, wall - offsetAt(wall + dayMs, zone)].filter((t) => t + offsetAt(t, zone) === wall);
  return new Date(candidates.length > 0 ? Math.min(...candidates) : wall - before).toISOString();
};
export const startOfDay = (day: string, zone: string): string => instantOf(day, '00:00', zone);
/** The last second of a local day: the instant of whatever is good until a day, so that everybody who reads it sees this day. */
export const endOfDay = (day: string, zone: string): string => new Date(Date.parse(startOfDay(addDays(day, 1), zone)) - 1000).toISOString();
/**
 * Whether what is good until an instant is over: once the local day of that instant is. A day that is named is good to its end, everywhere; in
 * SQL `is_over` says the same.
 */
export const isOver = (until: string, now: string | Date, zone: string): boolean => dayIn(until, zone) < dayIn(now, zone);

export const addDays = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
/** The same day of the month some months later, or the last day of a shorter month. */
export const addMonthsToDay = (day: string, months: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${pad(first.getUTCFullYear(), 4)}-${pad(first.getUTCMonth() + 1)}-${pad(Math.min(date, last))}`;
};
/** The same local day and time some months later, or on the last day of a shorter month. */
export const addMonths = (instant: string, months: number, zone: string): string => {
  const at = local(instant, zone);
  return instantOf(addMonthsToDay(at.slice(0, 10), months), at.slice(11, 23), zone);
};

/** When something ends that is given for some months: with the last second of the same day of the month, or of the last day of a shorter month. */
export const endOfTerm = (from: string, months: number, zone: string): string => endOfDay(addMonthsToDay(dayIn(from, zone), months), zone);

/** Formatted as 21/11/2026. */
export const dayWords = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;

const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
/** A month (YYYY-MM) as Nov 2026, or short as Nov 26. */
export const monthWords = (month: string, year: 'long' | 'short' = 'long'): string =>
  `${monthNames.format(new Date(`${month}-01T00:00:00Z`))} ${year === 'long' ? month.slice(0, 4) : month.slice(2, 4)}`;

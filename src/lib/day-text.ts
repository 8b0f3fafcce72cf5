/** A two-digit year is the nearest matching one: at most 30 years ahead. */
const century = (year: number, now: number): number => {
  const near = Math.floor(now / 100) * 100 + year;
  return near > now + 30 ? near - 100 : near;
};
const pad = (n: number, length = 2) => String(n).padStart(length, '0');

/** A day as people type it (3/5/2026, 3.5.26, 03052026, 2026-05-03) as YYYY-MM-DD; null if there is no such day. */
export const dayTyped = (text: string, now = new Date()): string | null => {
  const typed = text.trim();
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(typed) ?? [];
  const [, day = isoDay, month = isoMonth, year = isoYear] =
    /^(\d{1,2})[/.\- ]+(\d{1,2})[/.\- ]+(\d{4}|\d\d)$/.exec(typed) ?? /^(\d\d)(\d\d)(\d{4}|\d\d)$/.exec(typed) ?? [];
  if (!day || !month || !year) return null;
  const fullYear = year.length === 2 ? century(Number(year), now.getFullYear()) : Number(year);
  const iso = `${pad(fullYear, 4)}-${pad(Number(month))}-${pad(Number(day))}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
};

/** A time as people type it (9:30, 9.30, 930, 9) as HH:MM; null if there is no such time. */
export const timeTyped = (text: string): string | null => {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:. ]?(\d\d))?$/.exec(text.trim()) ?? [];
  return hours !== undefined && Number(hours) < 24 && Number(minutes) < 60 ? `${pad(Number(hours))}:${pad(Number(minutes))}` : null;
};

import { dayOf, formatTime, instantAt } from '#src/lib/format.ts';

/** Converts an instant to the value of a date-time field in the organisation's time zone, and back. Empty is null; an invalid value stays as typed. */
export const toLocalTime = (instant: string | null): string => (instant === null ? '' : `${dayOf(instant)}T${formatTime(instant)}`);
export const fromLocalTime = (local: string): string | null =>
  local === '' ? null : Number.isNaN(Date.parse(`${local}Z`)) ? local : instantAt(local.slice(0, 10), local.slice(11));

import { dayOf, formatTime, instantAt } from '#src/lib/format.ts';

/** An instant as a field of date and time writes it, where the organisation is, and back. Empty is null; what is no time stays what was typed. */
export const toLocalTime = (instant: string | null): string => (instant === null ? '' : `${dayOf(instant)}T${formatTime(instant)}`);
export const fromLocalTime = (local: string): string | null =>
  local === '' ? null : Number.isNaN(Date.parse(`${local}Z`)) ? local : instantAt(local.slice(0, 10), local.slice(11));

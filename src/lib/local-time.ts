import { dayOf, formatTime, instantAt } from '#src/lib/format.ts';

/** Converts between an instant and a `datetime-local` value in the organisation's time zone; empty corresponds to null. */
export const toLocalTime = (instant: string | null): string => (instant === null ? '' : `${dayOf(instant)}T${formatTime(instant)}`);
export const fromLocalTime = (local: string): string | null => (local === '' ? null : instantAt(local.slice(0, 10), local.slice(11)));

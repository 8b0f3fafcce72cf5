import { dayOf, formatTime, instantAt } from '#src/lib/format.ts';

/** An instant as a field of type `datetime-local` writes it, where the organisation is, and back; empty and null are the same. */
export const toLocalTime = (instant: string | null): string => (instant === null ? '' : `${dayOf(instant)}T${formatTime(instant)}`);
export const fromLocalTime = (local: string): string | null => (local === '' ? null : instantAt(local.slice(0, 10), local.slice(11)));

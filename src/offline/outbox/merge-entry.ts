import type { Entry, Joined, NewEntry } from '#src/offline/ports.ts';

/** Only entries that were never sent may change; the server may know the others. */
export const mayMerge = (entry: Entry): boolean => entry.state === 'waiting' && entry.tries === 0;

/** Merges a newer entry into an unsent one with the same key, by its `join`, or else replaces it. */
export const mergeEntry = (older: Entry, newer: NewEntry): Joined =>
  newer.join?.(older, newer) ?? { args: newer.args, at: newer.at, sentence: newer.sentence };

import type { Entry, Joined, NewEntry } from '#src/offline/ports.ts';

/** Only what has never been sent may still change: once sent, the server may know it as it was. */
export const mayMerge = (entry: Entry): boolean => entry.state === 'waiting' && entry.tries === 0;

/** Joins a newer fact into an unsent one of the same key, as it says itself; where it does not, it takes the other's place. */
export const mergeEntry = (older: Entry, newer: NewEntry): Joined =>
  newer.join?.(older, newer) ?? { args: newer.args, at: newer.at, sentence: newer.sentence };

import type { RouteId } from '#contract/site-map.ts';
import { observable } from '#src/lib/observable.ts';

/** The number of new or waiting things of a navigation entry, as far as this device knows. */
export const badges = observable<Partial<Record<string, number>>>({});
export const setBadge = (route: RouteId, count: number): void => {
  if (badges.get()[route] !== count) badges.set({ ...badges.get(), [route]: count });
};
/** What is counted at an entry, for screen readers. */
const wordOf = (route: string): string => (route === 'messages' ? 'new' : 'to decide');
/** The total of these entries; null if it is zero. */
export const countAt = (counts: Partial<Record<string, number>>, routes: readonly string[]): { count: number; words: string } | null => {
  const there = routes.flatMap((route) => (counts[route] ? [{ count: counts[route], word: wordOf(route) }] : []));
  if (there.length === 0) return null;
  const words = there.length === 1 ? (there[0]?.word ?? '') : there.map(({ count, word }) => `${count} ${word}`).join(', ');
  return { count: there.reduce((sum, { count }) => sum + count, 0), words };
};

import type { RouteId } from '#contract/site-map.ts';
import { observable } from '#src/lib/observable.ts';

/** How much new there is at a place of the navigation, as far as this device knows: nothing is asked for it. */
export const badges = observable<Partial<Record<string, number>>>({});
export const setBadge = (route: RouteId, count: number): void => {
  if (badges.get()[route] !== count) badges.set({ ...badges.get(), [route]: count });
};

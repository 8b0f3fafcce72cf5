import { pathTo } from '#contract/site-map.ts';

/** How many people an address names: as many as one booking takes. */
export const mostToBook = 200;

/** The form that books places, with people, the course that they need, and a session chosen already. */
export const bookingPath = (people: readonly string[], chosen: { course?: string; session?: string } = {}): string =>
  `${pathTo('manage-bookings-create')}?${new URLSearchParams({ people: [...new Set(people)].slice(0, mostToBook).join(','), ...chosen })}`;

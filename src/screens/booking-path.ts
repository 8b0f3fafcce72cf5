import { pathTo } from '#contract/site-map.ts';

/** The most people in an address: as many as one booking takes. */
export const mostToBook = 200;

/** The address of the booking form with people, the course that they need, and a session preselected. */
export const bookingPath = (people: readonly string[], chosen: { course?: string; session?: string } = {}): string =>
  `${pathTo('manage-bookings-create')}?${new URLSearchParams({ people: [...new Set(people)].slice(0, mostToBook).join(','), ...chosen })}`;

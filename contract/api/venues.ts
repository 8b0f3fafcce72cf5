import { resource } from '#contract/api/resource.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { Venue, VenueFields } from '#contract/entities/venue.ts';

/** The venues of an organisation, from which whoever plans a training session chooses. */
export const venueEndpoints = resource({
  ids: ['Venue', 'Venues'],
  path: '/venues',
  words: {
    one: 'a venue',
    many: 'venues of the caller’s organisation and below it',
    deletes: ' Refused while sessions are to come there; past ones keep its name.',
  },
  ...{ row: Venue, fields: VenueFields, sorts: ['name'], inUse: true },
  ...{ read: seesSessions, write: ['booking.manage'] },
});

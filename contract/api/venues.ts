import * as z from 'zod/mini';
import { Id, Name } from '#contract/entities/fields.ts';
import { resource } from '#contract/api/resource.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';

const Text = (most: number) => z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
const Capacity = z.int('Enter how many people it holds.').check(z.gte(1, 'Enter at least 1.'), z.lte(500, 'Enter no more than 500.'));
const room = { name: Name, capacity: Capacity };

/** Where training takes place: its address, what somebody has to know before they come, and its rooms. */
export const VenueFields = z.object({
  name: Name,
  address: Text(500),
  step_free: z.boolean(),
  hearing_loop: z.boolean(),
  parking: z.boolean(),
  access_notes: Text(1000),
  /** A room without an id is a new one; one that is missing is deleted. */
  rooms: z
    .array(z.object({ id: z.nullable(Id), ...room }))
    .check(z.maxLength(50, 'Use no more than 50 rooms.'))
    .check(
      z.refine((rooms) => new Set(rooms.map((r) => r.name.toLowerCase())).size === rooms.length, 'Give each room a name of its own.'),
      z.refine((rooms) => new Set(rooms.flatMap((r) => r.id ?? [])).size === rooms.filter((r) => r.id).length, 'Name each room once.'),
    ),
});
export const Venue = z.object({ id: Id, ...VenueFields.shape, rooms: z.array(z.object({ id: Id, ...room })) });
export type Venue = z.infer<typeof Venue>;

/** The venues of an organisation, offered when a training session is planned. */
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

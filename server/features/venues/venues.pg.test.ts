import { venueEndpoints } from '#contract/api/venues.ts';
import { testResource } from '#tests/support/resource.ts';

const room = { id: null, name: 'Hall', capacity: 30 };
testResource({
  calls: venueEndpoints,
  body: (n, word) => ({
    ...{ name: `${word} Centre ${n}`, address: `${n} High Street`, access_notes: 'Ring twice.', rooms: [room] },
    ...{ step_free: true, hearing_loop: false, parking: true },
  }),
  changed: { name: 'Zephyr House', parking: false },
  refused: { name: { name: ' ' }, rooms: { rooms: [room, { ...room, name: 'hall' }] }, 'rooms.0.capacity': { rooms: [{ ...room, capacity: 0 }] } },
});

import { randomUUID } from 'node:crypto';
import { venueEndpoints } from '#contract/api/venues.ts';
import { dayIn } from '#contract/rules/days.ts';
import { sql } from '#server/db/sql.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { invalid } from '#server/product-error.ts';
import { resourceOf } from '#server/resource.ts';
import type { Services } from '#server/services.ts';

/** Where training takes place: the venues of an organisation, each with its rooms. */
export const venuesOf = (services: Pick<Services, 'db' | 'now'>) =>
  resourceOf(services, venueEndpoints, {
    table: 'venues',
    from: sql`venues t join entity_names e on e.id = t.entity_id`,
    row: sql`t.name, t.address, t.step_free, t.hearing_loop, t.parking, t.access_notes,
      coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'capacity', r.capacity) order by r.place) from venue_rooms r where r.venue_id = t.id), '[]') as rooms`,
    owner: sql`t.entity_id`,
    visible: visibleEntity,
    search: [sql`t.name`, sql`t.address`],
    sorts: { name: sql`t.name` },
    order: 'name',
    subject: { kind: 'venue', name: (venue) => venue.name },
    added: (_tx, _body, actor) => ({ entity_id: actor.place.id }),
    columns: ({ rooms: _rooms, ...columns }) => columns,
    saved: async (tx, id, { rooms }) => {
      await tx.run(sql`delete from venue_rooms where venue_id = ${id} and not id = any(${rooms.flatMap((r) => r.id ?? [])}::uuid[])`);
      for (const [place, room] of rooms.entries()) {
        const written = room.id
          ? sql`update venue_rooms set name = ${room.name}, capacity = ${room.capacity}, place = ${place} where id = ${room.id} and venue_id = ${id}`
          : sql`insert into venue_rooms (id, venue_id, name, capacity, place) values (${randomUUID()}, ${id}, ${room.name}, ${room.capacity}, ${place})`;
        if ((await tx.run(written)) === 0) throw invalid(`rooms.${place}.name`, 'This room has been deleted in the meantime.');
      }
    },
    inUse: async (tx, id, actor) => {
      const today = dayIn(services.now(), actor.user.time_zone);
      const coming = await tx.one(
        sql`select 1 from training_sessions where venue_id = ${id} and cancelled_at is null and date >= ${today}::date limit 1`,
      );
      return coming !== undefined && 'Training sessions are to come at this venue. Choose another venue for them first.';
    },
  });

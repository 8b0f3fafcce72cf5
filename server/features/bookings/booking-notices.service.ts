import type { Actor } from '#server/actor.ts';
import { holds } from '#server/db/seen.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import { type ByProduct, tellPeople } from '#server/features/messages/messages.service.ts';

const tell = (tx: Db, actor: Actor, people: readonly { id: string }[], message: string, now: Date): Promise<ByProduct> =>
  tellPeople(
    tx,
    actor.user.uuid,
    people.map(({ id }) => ({ recipient_id: id, message })),
    now,
  );

/** Notifies the nearest people who may approve bookings of an organisation: not the whole group office for each home. */
export const tellApprovers = async (tx: Db, actor: Actor, client: string, message: string, now: Date): Promise<ByProduct> => {
  const nearest = await tx.all<{ id: string }>(sql`with approvers as (
      select a.id, (select count(*) from entity_below d where d.below = a.primary_entity_id) as depth
      from users a join entity_below b on b.above = a.primary_entity_id and b.below = ${client}
      where a.disabled_at is null and a.id <> ${actor.user.uuid} and (${holds(sql`a`, 'booking.create')} or ${holds(sql`a`, 'booking.manage')}))
    select id from approvers where depth = (select max(depth) from approvers) order by id`);
  return tell(tx, actor, nearest, message, now);
};

/** Notifies those at a provider who see its bookings of what a client from outside its own tree of organisations has done. */
export const tellProvider = async (
  tx: Db,
  actor: Actor,
  { provider, client }: { provider: string; client: string },
  message: string,
  now: Date,
): Promise<ByProduct> => {
  // Within one organisation there is nobody to notify.
  if (provider === client) return { sender: actor.user.uuid, name: actor.user.name, ids: [], told: [] };
  const people = await tx.all<{ id: string }>(
    often(sql`select a.id from users a where a.primary_entity_id = ${provider} and a.disabled_at is null
    and ${holds(sql`a`, 'booking.provider')}
    and not exists (select 1 from entity_below x where (x.above = ${provider} and x.below = ${client}) or (x.above = ${client} and x.below = ${provider})) order by a.id`),
  );
  return tell(tx, actor, people, message, now);
};

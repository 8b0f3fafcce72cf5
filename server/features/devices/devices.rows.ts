import type { ResponseOf } from '#contract/api/endpoint.ts';
import type { decideHeldWork } from '#contract/api/devices.ts';
import type { DeviceContact, DeviceReport, MissingWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { insertRow, reference } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

const nearlyFull = 0.9;

/** Stores what a device reports about itself and about one person's work on it. */
export const noteContact = (on: Db, userId: string, { incidents, kept = [], ...report }: DeviceReport, now: Date): Promise<number> => {
  const contact = { ...report, user_id: userId, contact_at: now, incidents: JSON.stringify(incidents), kept: JSON.stringify(kept) };
  return on.run(sql`${insertRow('device_contacts', contact)}
    on conflict (device_id, user_id) do update set contact_at = excluded.contact_at, app_version = excluded.app_version, waiting = excluded.waiting, needs_person = excluded.needs_person,
      oldest_waiting_at = excluded.oldest_waiting_at, storage_used = excluded.storage_used, storage_quota = excluded.storage_quota, persisted = excluded.persisted,
      clock_behind_ms = excluded.clock_behind_ms, locked_by = excluded.locked_by, kept = excluded.kept,
      incidents = (select coalesce(jsonb_agg(i), '[]') from (select distinct i from jsonb_array_elements(device_contacts.incidents || excluded.incidents) i limit 50) all_incidents)`);
};

/** An entry of the column `unsent`: what a device named as waiting. `missing_since`: when a report no longer named it; null while it does. */
type Unsent = { id: string; reported_at: string; missing_since: string | null };
/** What never came is named for as long as a person may still remember it. */
const namedDays = 90;

/**
 * Compares what a device reported to wait with what it now says: what no longer waits, and was neither received nor set aside
 * (`accounted`), is missing. `complete`: `ids` are all that waits. Call after `noteContact`, in its transaction.
 */
export const noteUnsent = async (
  on: Db,
  userId: string,
  deviceId: string,
  { ids, complete }: { ids: readonly string[]; complete: boolean },
  accounted: readonly string[],
  now: Date,
): Promise<MissingWork[]> => {
  const row = await on.one<{ unsent: Unsent[] }>(
    sql`select unsent from device_contacts where device_id = ${deviceId} and user_id = ${userId} for update`,
  );
  const before = new Map((row?.unsent ?? []).map((u) => [u.id, u]));
  const waiting = new Set(ids);
  const gone = [...before.keys()].filter((id) => !waiting.has(id));
  const came = new Set([
    ...accounted,
    ...(gone.length > 0
      ? await on.all<{ id: string }>(sql`select id from unnest(${gone}::uuid[]) as asked (id) where ${hasCome(sql`asked.id`, sql`${userId}`)}`)
      : []
    ).map((r) => r.id),
  ]);
  const oldest = now.getTime() - namedDays * 86_400_000;
  const after: Unsent[] = [
    ...ids.map((id) => ({ id, reported_at: now.toISOString(), missing_since: null })),
    ...gone
      .flatMap((id) => before.get(id) ?? [])
      .filter(({ id, missing_since }) => !came.has(id) && (missing_since === null || Date.parse(missing_since) > oldest))
      .map((u) => ({ ...u, missing_since: u.missing_since ?? (complete ? now.toISOString() : null) })),
  ].slice(0, 2 * protocol.unsentIdsAtOnce);
  await on.run(sql`update device_contacts set unsent = ${JSON.stringify(after)} where device_id = ${deviceId} and user_id = ${userId}`);
  return after.filter((u) => u.missing_since !== null).map(({ id, reported_at }) => ({ id, reported_at }));
};
/** Whether the server has a change: applied, refused, or held for a decision. */
const hasCome = (
  id: Statement,
  userId: Statement,
): Statement => sql`(exists (select 1 from ledger l where l.user_id = ${userId} and l.entry_id = ${id})
  or exists (select 1 from refusals r where r.user_id = ${userId} and r.entry_id = ${id}) or exists (select 1 from held_work h where h.entry_id = ${id}))`;

/** The devices of these people (`users u`); those silent longest with unsent work come first. */
export const contactRows = (on: Db, who: Statement): Promise<DeviceContact[]> =>
  on.all<DeviceContact>(sql`select d.device_id, json_build_object('id', u.id, 'name', u.name) as user, d.contact_at, d.app_version, d.waiting, d.needs_person,
      d.oldest_waiting_at, d.storage_used, d.storage_quota, d.persisted, d.clock_behind_ms, d.locked_by, d.incidents,
      coalesce(d.storage_used > d.storage_quota * ${nearlyFull}::float8, false) as storage_nearly_full, m.missing, m.missing_reported_at
    from device_contacts d join users u on u.id = d.user_id
      cross join lateral (select count(*)::int as missing, max((n ->> 'reported_at')::timestamptz) as missing_reported_at from jsonb_array_elements(d.unsent) n
        where n ->> 'missing_since' is not null and not ${hasCome(sql`(n ->> 'id')::uuid`, sql`d.user_id`)}) m
    where ${who}
    order by m.missing > 0 desc, (d.waiting + d.needs_person > 0) desc, case when d.waiting + d.needs_person > 0 then d.contact_at end, d.contact_at desc limit 2000`);

/** Sealed work that waits for a decision, or had one. */
export const heldRows = (on: Db, which: Statement): Promise<ResponseOf<typeof decideHeldWork>[]> =>
  on.all(sql`select h.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, h.sentence, h.change ->> 'at' as at, h.imported_at, h.reason, h.decision, h.note,
      ${reference('person_names', sql`h.imported_by`)} as imported_by, ${reference('person_names', sql`h.decided_by`)} as decided_by
    from held_work h join users u on u.id = h.user_id where ${which} order by h.decision is not null, h.imported_at desc, h.change ->> 'at' limit 500`);

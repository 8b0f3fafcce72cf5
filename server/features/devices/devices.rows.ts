import type { ResponseOf } from '#contract/api/endpoint.ts';
import type { decideHeldWork } from '#contract/api/devices.ts';
import type { DeviceContact, DeviceReport } from '#contract/entities/device.ts';
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

/** The devices of these people (`users u`); those silent longest with unsent work come first. */
export const contactRows = (on: Db, who: Statement): Promise<DeviceContact[]> =>
  on.all<DeviceContact>(sql`select d.device_id, json_build_object('id', u.id, 'name', u.name) as user, d.contact_at, d.app_version, d.waiting, d.needs_person,
      d.oldest_waiting_at, d.storage_used, d.storage_quota, d.persisted, d.clock_behind_ms, d.locked_by, d.incidents,
      coalesce(d.storage_used > d.storage_quota * ${nearlyFull}::float8, false) as storage_nearly_full
    from device_contacts d join users u on u.id = d.user_id where ${who}
    order by (d.waiting + d.needs_person > 0) desc, case when d.waiting + d.needs_person > 0 then d.contact_at end, d.contact_at desc limit 2000`);

/** Sealed work that waits for a decision, or had one. */
export const heldRows = (on: Db, which: Statement): Promise<ResponseOf<typeof decideHeldWork>[]> =>
  on.all(sql`select h.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, h.sentence, h.change ->> 'at' as at, h.imported_at, h.reason, h.decision, h.note,
      ${reference('person_names', sql`h.imported_by`)} as imported_by, ${reference('person_names', sql`h.decided_by`)} as decided_by
    from held_work h join users u on u.id = h.user_id where ${which} order by h.decision is not null, h.imported_at desc, h.change ->> 'at' limit 500`);

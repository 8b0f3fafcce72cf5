import type { Actor } from '#server/actor.ts';
import { reference } from '#server/db/rows.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';

/** A pack with the job that makes it. */
export const inspectionSource: Statement = sql`inspections i left join jobs j on j.kind = 'inspection' and j.key = i.id::text`;
/** Whether a pack is visible: those of one's organisation and of all below it. */
export const visibleInspection = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`i.entity_id = any(${[...actor.entityIds]}::uuid[])`);

const working = sql`i.hash is null and j.state in ('waiting', 'running')`;
export const inspectionColumns: Statement = sql`i.id, i.name, ${reference('entity_names', sql`i.entity_id`)} as organisation, i.chosen,
  case when i.hash is not null then 'ready' when ${working} then 'waiting' else 'failed' end as state,
  ${instant(sql`i.asked_at`)} as asked_at, ${reference('person_names', sql`i.asked_by`)} as asked_by,
  case when ${working} then json_build_object('done', j.done, 'total', j.total) end as progress,
  case when i.hash is null and not coalesce(${working}, false) then coalesce(j.problem, 'It was not finished.') end as problem,
  case when i.frozen_at is not null then ${instant(sql`i.frozen_at`)} end as frozen_at,
  i.people, i.courses, i.certificates, i.care_certificates, i.required, i.in_date, i.score, i.pdf_bytes, i.zip_bytes, i.hash`;

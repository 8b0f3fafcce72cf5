import type { listAuditEntries } from '#contract/api/audit.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import type { AuditEntry } from '#contract/entities/audit.ts';
import { readsEntityNotes } from '#contract/entities/entity.ts';
import type { Actor } from '#server/actor.ts';
import { contains, orderBy, pageOf } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';

/** A page of the audit log of the organisations that the administrator sees. */
export const auditPage = (db: Db, actor: Actor, query: QueryOf<typeof listAuditEntries>) => {
  const source = sql`audit_log l join entities e on e.id = l.entity_id join person_names u on u.id = l.actor_id left join entities a on a.id = l.acting_as_id`;
  const about = query.entity ? sql`e.slug = ${query.entity}` : sql`true`;
  // People who may not read the notes about an organisation do not read their history here either.
  const unread = can(actor.user, readsEntityNotes) ? sql`` : sql` - 'notes'`;
  const kind = query.kind ? sql`l.subject_kind = ${query.kind}` : sql`true`;
  const where = sql`${visibleEntity(actor)} and ${about} and ${kind} and ${contains([sql`l.subject_name`, sql`u.name`], query.search)}`;
  const order = orderBy(query.sort ?? '-at', { at: sql`l.no`, actor: sql`u.name` }, sql`l.no`);
  return pageOf<AuditEntry>(db, '/audit-log', query, {
    columns: sql`l.id, ${instant(sql`l.at`)} as at, json_build_object('id', u.id, 'name', u.name) as actor,
        case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'slug', a.slug) end as acting_as,
        json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, l.action,
        json_build_object('kind', l.subject_kind, 'id', l.subject_id, 'name', l.subject_name) as subject, l.before${unread} as before, l.after${unread} as after, l.address`,
    from: source,
    where,
    order,
  });
};

import type { QueryOf } from '#contract/api/endpoint.ts';
import type { listImportRows, listImports } from '#contract/api/imports.ts';
import type { Import, ImportRow } from '#contract/entities/import.ts';
import { contains, existing, orderBy, pageOf, reference } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

const source = sql`imports i join entities e on e.id = i.entity_id join person_names u on u.id = i.actor_id`;
const columns = sql`i.id, i.kind, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, json_build_object('id', u.id, 'name', u.name) as actor,
  ${reference('person_names', sql`i.run_by`)} as run_by,
  i.file_name, i.format, i.columns, i.mapping, i.options, i.state, i.total, ${instant(sql`i.created_at`)} as created_at, ${instant(sql`i.ended_at`)} as ended_at,
  coalesce((select json_object_agg(action, n) from (select action, count(*)::int as n from import_rows r where r.import_id = i.id group by action) c), '{}') as counts,
  (select count(*)::int from import_rows r where r.import_id = i.id and r.done_at is not null) as done,
  (select count(*)::int from import_rows r where r.import_id = i.id and r.action = 'refused' and r.resolved_at is null) as unresolved`;

/** The import with this id, or 404. */
export const importOf = async (db: Db, actor: Actor, id: string): Promise<Import> =>
  existing(await db.one<Import>(sql`select ${columns} from ${source} where i.id = ${id} and ${visibleEntity(actor)}`));

export const importPage = (db: Db, actor: Actor, query: QueryOf<typeof listImports>) => {
  const kind = query.kind ? sql`i.kind = ${query.kind}` : sql`true`;
  const where = sql`${visibleEntity(actor)} and ${kind} and ${contains([sql`i.file_name`, sql`e.name`, sql`u.name`], query.search)}`;
  const order = orderBy(query.sort ?? '-created_at', { created_at: sql`i.created_at`, file_name: sql`i.file_name` }, sql`i.id`);
  return pageOf<Import>(db, '/importer/imports', query, { columns, from: source, where, order });
};

/** A page of the rows of an import that the actor may see. */
export const rowPage = (db: Db, id: string, query: QueryOf<typeof listImportRows>) => {
  const action = query.action ? sql`r.action = ${query.action}` : sql`true`;
  return pageOf<ImportRow>(db, `/importer/imports/${id}/rows`, query, {
    columns: sql`r.no, r.name, r.action, r.cells, r.problems, r.done_at is not null as done, ${instant(sql`r.resolved_at`)} as resolved_at`,
    from: sql`import_rows r`,
    where: sql`r.import_id = ${id} and ${action} and ${contains([sql`r.name`], query.search)}`,
    order: sql`r.no`,
  });
};

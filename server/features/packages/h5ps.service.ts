import { randomUUID } from 'node:crypto';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import type { createH5p, listH5ps, updateH5p } from '#contract/api/h5ps.ts';
import type { H5p, H5pDetail, H5pVersion } from '#contract/entities/h5p.ts';
import { contains, existing, insertRow, orderBy, pageOf, reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type By, type Noted, noteChange } from '#server/note-change.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const file = sql`json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) as package`;
const columns = sql`h.id, h.title, h.video_id, ${instant(sql`h.created_at`)} as created_at, ${instant(sql`h.updated_at`)} as updated_at, ${file}`;
const source = sql`h5ps h join packages p on p.id = h.package_id`;
/** An activity belongs to the organisation of the person who added it. */
const isOwn = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`h.entity_id = ${actor.place.id}`);
/** Whether a row `t` belongs to the actor’s organisation or one below it. */
const below = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`t.entity_id = any(${[...actor.entityIds]}::uuid[])`);
/** An organisation's library of H5P activities. */
export const h5psOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  type Row = H5p & { entity_id: string };
  const found = async (on: Db, actor: Actor, id: string): Promise<Row> =>
    existing(await on.one<Row>(sql`select ${columns}, h.entity_id from ${source} where h.id = ${id} and ${isOwn(actor)}`));
  const get = async (actor: Actor, id: string): Promise<H5pDetail> => {
    const { entity_id: _, ...h5p } = await found(db, actor, id);
    const used_in = await db.all<H5pDetail['used_in'][number]>(sql`select t.id, t.title from topics t
      where t.blocks @> jsonb_build_array(jsonb_build_object('h5p_id', ${id}::text)) and ${below(actor)} order by t.title, t.id`);
    return { ...h5p, used_in };
  };
  const activityPackage = async (actor: Actor, id: string): Promise<string> => {
    const pack = existing(await packageById(db, actor, id));
    if (pack.manifest.kind !== 'h5p') throw invalid('package_id', 'This package is not an H5P activity.');
    return pack.id;
  };
  const note = (tx: Db, by: By, entityId: string, { id, title: name }: { id: string; title: string }, noted: Noted) =>
    noteChange(tx, by, now(), { entityId, subject: { kind: 'h5p', id, name }, ...noted });
  /** Records its new file. */
  const keepVersion = (tx: Db, by: By, h5p: { id: string; package_id: string; entity_id: string }) =>
    tx.run(sql`insert into h5p_versions (h5p_id, no, package_id, entity_id, by_id, at)
      select ${h5p.id}, coalesce(max(v.no), 0) + 1, ${h5p.package_id}, ${h5p.entity_id}, ${by.actor.user.uuid}, ${now()} from h5p_versions v where v.h5p_id = ${h5p.id}`);
  /** Adds an activity of a package of this organisation to its library. */
  const add = async (tx: Db, by: By, { id, ...after }: { id: string; title: string; package_id: string }): Promise<void> => {
    const { place, user } = by.actor;
    await tx.run(insertRow('h5ps', { id, ...after, entity_id: place.id, created_by: user.uuid, created_at: now(), updated_at: now() }));
    await keepVersion(tx, by, { id, package_id: after.package_id, entity_id: place.id });
    await note(tx, by, place.id, { id, title: after.title }, { action: 'created', after });
  };
  return {
    get,
    add,
    versions: async (actor: Actor, id: string): Promise<H5pVersion[]> => {
      const { package: present } = await found(db, actor, id);
      // A copy of the activity has the same file, but is another activity.
      const blockWith = (at: Statement) =>
        sql`jsonb_build_array(jsonb_build_object('kind', 'h5p', 'h5p_id', ${id}::text, 'package', jsonb_build_object('id', ${at})))`;
      // The documents of published versions say which files they use: each is read once, for current versions and those somebody is on.
      const holds = (at: Statement) =>
        sql`v.document @> jsonb_build_object('lessons', jsonb_build_array(jsonb_build_object('topics', jsonb_build_array(jsonb_build_object('blocks', ${blockWith(at)})))))`;
      const rows = await db.all<Omit<H5pVersion, 'current'>>(sql`with files as (select distinct package_id from h5p_versions where h5p_id = ${id}),
          opened as (select a.content_id, a.content_version as version, array_agg(distinct a.user_id) as people from attempts a join users t on t.id = a.user_id
            where a.state = 'open' and ${actor.seesAll ? sql`true` : sql`t.primary_entity_id = any(${[...actor.entityIds]}::uuid[])`} group by 1, 2),
          held as (select f.package_id, t.id as content_id, v.version = t.current_version and t.published as taken, o.people
            from contents t join content_versions v on v.content_id = t.id left join opened o on o.content_id = t.id and o.version = v.version
              join files f on ${holds(sql`f.package_id`)}
            where t.type = 'elearning' and t.deleted_at is null and ${below(actor)} and ((v.version = t.current_version and t.published) or o.people is not null))
        select x.no, ${file}, ${reference('person_names', sql`x.by_id`)} as by, ${instant(sql`x.at`)} as at,
          coalesce((select json_agg(json_build_object('id', t.id, 'title', t.title, 'editable', ${actor.seesAll ? sql`true` : sql`t.entity_id = ${actor.place.id}`}) order by t.title, t.id) from topics t
            where t.blocks @> ${blockWith(sql`x.package_id`)} and ${below(actor)}), '[]') as topics,
          (select count(distinct h.content_id)::int from held h where h.package_id = x.package_id and h.taken) as contents,
          (select count(distinct somebody)::int from held h cross join unnest(h.people) somebody where h.package_id = x.package_id) as open
        from h5p_versions x join packages p on p.id = x.package_id where x.h5p_id = ${id} order by x.no desc limit 200`);
      return rows.map((row, i) => ({ ...row, current: i === 0 && row.package.id === present.id }));
    },
    list: (actor: Actor, query: QueryOf<typeof listH5ps>) => {
      const where = sql`${isOwn(actor)} and ${contains([sql`h.title`, sql`p.manifest ->> 'main_library'`], query.search)}`;
      const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`h.updated_at`, title: sql`h.title` }, sql`h.id`);
      return pageOf<H5p>(db, '/h5ps', query, { columns, from: source, where, order });
    },
    create: async (by: By, { title, ...body }: BodyOf<typeof createH5p>): Promise<H5pDetail> => {
      const id = randomUUID();
      const package_id = await activityPackage(by.actor, body.package_id);
      await db.tx((tx) => add(tx, by, { id, title, package_id }));
      return get(by.actor, id);
    },
    update: async (by: By, id: string, body: BodyOf<typeof updateH5p>): Promise<H5pDetail> => {
      const newPackage = body.package_id === undefined ? undefined : await activityPackage(by.actor, body.package_id);
      await db.tx(async (tx) => {
        // Locked before its package is read: a row that is locked with its package joined is lost where the package was replaced meanwhile.
        await tx.one(sql`select 1 from h5ps h where h.id = ${id} and ${isOwn(by.actor)} for update`);
        const before = await found(tx, by.actor, id);
        const package_id = newPackage ?? before.package.id;
        const after = { title: body.title ?? before.title, package_id };
        existing(await updateRows(tx, 'h5ps', { ...after, updated_at: now() }, sql`id = ${id}`));
        if (package_id !== before.package.id) await keepVersion(tx, by, { id, package_id, entity_id: before.entity_id });
        const was = { title: before.title, package_id: before.package.id };
        await note(tx, by, before.entity_id, { id, ...after }, { action: 'updated', before: was, after });
      });
      return get(by.actor, id);
    },
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const { title, entity_id } = await found(tx, by.actor, id);
        existing(await tx.run(sql`delete from h5ps where id = ${id}`));
        await note(tx, by, entity_id, { id, title }, { action: 'deleted', before: { title } });
      }),
  };
};

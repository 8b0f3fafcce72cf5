import { randomUUID } from 'node:crypto';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import type { createH5p, listH5ps, updateH5p } from '#contract/api/h5ps.ts';
import type { H5p, H5pDetail } from '#contract/entities/h5p.ts';
import { contains, existing, insertRow, orderBy, pageOf, updateRows } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type By, type Noted, noteChange } from '#server/note-change.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const columns = sql`h.id, h.title, h.video_id, ${instant(sql`h.created_at`)} as created_at, ${instant(sql`h.updated_at`)} as updated_at,
  json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) as package`;
const source = sql`h5ps h join packages p on p.id = h.package_id`;
/** An activity belongs to the organisation of the person who added it. */
const own = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`h.entity_id = ${actor.place.id}`);
/** An organisation's library of H5P activities. */
export const h5psOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  type Row = H5p & { entity_id: string };
  const found = async (on: Db, actor: Actor, id: string): Promise<Row> =>
    existing(await on.one<Row>(sql`select ${columns}, h.entity_id from ${source} where h.id = ${id} and ${own(actor)}`));
  const get = async (actor: Actor, id: string): Promise<H5pDetail> => {
    const { entity_id: _, ...h5p } = await found(db, actor, id);
    const used_in = await db.all<H5pDetail['used_in'][number]>(sql`select t.id, t.title from topics t
      where t.blocks @> jsonb_build_array(jsonb_build_object('h5p_id', ${id}::text)) and ${actor.seesAll ? sql`true` : sql`t.entity_id = any(${[...actor.entityIds]}::uuid[])`} order by t.title, t.id`);
    return { ...h5p, used_in };
  };
  const activityPackage = async (actor: Actor, id: string): Promise<string> => {
    const pack = existing(await packageById(db, actor, id));
    if (pack.manifest.kind !== 'h5p') throw invalid('package_id', 'This package is not an H5P activity.');
    return pack.id;
  };
  const note = (tx: Db, by: By, entityId: string, { id, title: name }: { id: string; title: string }, noted: Noted) =>
    noteChange(tx, by, now(), { entityId, subject: { kind: 'h5p', id, name }, ...noted });
  /** Puts an activity of this organisation's package into its library. */
  const add = async (tx: Db, by: By, { id, ...after }: { id: string; title: string; package_id: string }): Promise<void> => {
    const { place, user } = by.actor;
    await tx.run(insertRow('h5ps', { id, ...after, entity_id: place.id, created_by: user.uuid, created_at: now(), updated_at: now() }));
    await note(tx, by, place.id, { id, title: after.title }, { action: 'created', after });
  };
  return {
    get,
    add,
    list: (actor: Actor, query: QueryOf<typeof listH5ps>) => {
      const where = sql`${own(actor)} and ${contains([sql`h.title`, sql`p.manifest ->> 'main_library'`], query.search)}`;
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
      const before = await found(db, by.actor, id);
      const package_id = body.package_id === undefined ? before.package.id : await activityPackage(by.actor, body.package_id);
      const after = { title: body.title ?? before.title, package_id };
      await db.tx(async (tx) => {
        existing(await updateRows(tx, 'h5ps', { ...after, updated_at: now() }, sql`id = ${id}`));
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

import { randomUUID } from 'node:crypto';
import type { h5pEndpoints } from '#contract/api/h5ps.ts';
import type { H5p } from '#contract/entities/h5p.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import { contains, existing, orderBy, pageOf } from '#server/db/rows.ts';
import { invalid } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

const columns = sql`h.id, h.title, h.video_id, ${instant(sql`h.created_at`)} as created_at, ${instant(sql`h.updated_at`)} as updated_at,
  json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) as package`;
const source = sql`h5ps h join packages p on p.id = h.package_id`;
/** An activity belongs to the organisation of the person who added it. */
const own = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`h.entity_id = ${actor.place.id}`);
const h5pById = (db: Db, actor: Actor, id: string) => db.one<H5p>(sql`select ${columns} from ${source} where h.id = ${id} and ${own(actor)}`);

const subjectOf = (id: string, name: string) => ({ kind: 'h5p', id, name }) as const;
/** An organisation's library of H5P activities. */
export const h5pHandlers = ({ db, now }: Services): HandlersOf<typeof h5pEndpoints> => {
  const found = async (actor: Actor, id: string): Promise<H5p> => {
    return existing(await h5pById(db, actor, id));
  };
  const activityPackage = async (actor: Actor, id: string): Promise<string> => {
    const pack = existing(await packageById(db, actor, id));
    if (pack.manifest.kind !== 'h5p') throw invalid('package_id', 'This package is not an H5P activity.');
    return pack.id;
  };
  return {
    listH5ps: async ({ query, actor }) => {
      const where = sql`${own(actor)} and ${contains([sql`h.title`, sql`p.manifest ->> 'main_library'`], query.search)}`;
      const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`h.updated_at`, title: sql`h.title` }, sql`h.id`);
      return pageOf<H5p>(db, '/h5ps', query, { columns, from: source, where, order });
    },
    createH5p: async ({ body, actor, request }) => {
      const id = randomUUID();
      const packageId = await activityPackage(actor, body.package_id);
      await db.tx(async (tx) => {
        await tx.run(sql`insert into h5ps (id, title, package_id, entity_id, created_by, created_at, updated_at)
          values (${id}, ${body.title}, ${packageId}, ${actor.place.id}, ${actor.user.uuid}, ${now()}, ${now()})`);
        const after = { title: body.title, package_id: packageId };
        await noteChange(tx, { actor, request }, { entityId: actor.place.id, action: 'created', subject: subjectOf(id, body.title), after }, now());
      });
      return { data: await found(actor, id) };
    },
    getH5p: async ({ params, actor }) => ({ data: await found(actor, params.id) }),
    updateH5p: async ({ params, body, actor, request }) => {
      const before = await found(actor, params.id);
      const packageId = body.package_id === undefined ? before.package.id : await activityPackage(actor, body.package_id);
      const title = body.title ?? before.title;
      await db.tx(async (tx) => {
        const row = existing(
          await tx.one<{ entity_id: string }>(
            sql`update h5ps h set title = ${title}, package_id = ${packageId}, updated_at = ${now()} where h.id = ${params.id} and ${own(actor)} returning h.entity_id`,
          ),
        );
        const [was, is] = [
          { title: before.title, package_id: before.package.id },
          { title, package_id: packageId },
        ];
        await noteChange(
          tx,
          { actor, request },
          { entityId: row.entity_id, action: 'updated', subject: subjectOf(params.id, title), before: was, after: is },
          now(),
        );
      });
      return { data: await found(actor, params.id) };
    },
    deleteH5p: ({ params, actor, request }) =>
      db.tx(async (tx) => {
        const gone = existing(
          await tx.one<{ title: string; entity_id: string }>(
            sql`delete from h5ps h where h.id = ${params.id} and ${own(actor)} returning h.title, h.entity_id`,
          ),
        );
        const { title, entity_id } = gone;
        await noteChange(
          tx,
          { actor, request },
          { entityId: entity_id, action: 'deleted', subject: subjectOf(params.id, title), before: { title } },
          now(),
        );
      }),
  };
};

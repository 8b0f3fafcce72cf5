import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { contentEndpoints } from '#contract/api/content.ts';
import type { Content, Course } from '#contract/entities/authored-content.ts';
import type { ContentDocument, PackageRef } from '#contract/entities/content.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { givenTo } from '#server/features/learning/contents.rows.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import { contains, existing, orderBy, pageOf } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

/** A content is changed by the organisation that made it. */
const own = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`c.entity_id = ${actor.place.id}`);
const seen = (actor: Actor): Statement =>
  sql`c.deleted_at is null and (${own(actor)} or c.published and ${givenTo(sql`select entity_and_above(${actor.place.id})`)})`;
/** A course is used by the organisations that have it, and those below them. */
const courseOf = (actor: Actor): Statement =>
  actor.seesAll
    ? sql`true`
    : sql`(k.entity_id = ${actor.place.id} or exists (select 1 from entity_courses ec where ec.course_id = k.id and ec.entity_id in (select entity_and_above(${actor.place.id}))))`;

const columns = (actor: Actor) => sql`c.id, c.title, c.type, c.published, c.current_version as version, ${own(actor)} as editable,
  json_build_object('id', k.id, 'title', k.title) as course, json_build_object('id', e.id, 'name', e.name) as entity,
  v.document -> 'image' as image, coalesce((v.document ->> 'estimated_duration')::int, 0) as estimated_duration, coalesce(v.document ->> 'aims', '') as aims,
  coalesce(v.document -> 'outcomes', '[]'::jsonb) as outcomes, coalesce((v.document ->> 'cpd_accredited')::boolean, false) as cpd_accredited,
  case when c.type = 'scorm' then coalesce(v.document -> 'package' ->> 'completion', 'reported') end as completion,
  case when p.id is not null then json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) end as package,
  ${instant(sql`c.created_at`)} as created_at, ${instant(sql`c.updated_at`)} as updated_at`;
const source = sql`contents c join courses k on k.id = c.course_id join entity_names e on e.id = c.entity_id
  left join content_versions v on v.content_id = c.id and v.version = c.current_version
  left join packages p on p.id = (v.document -> 'package' ->> 'id')::uuid`;

/** Contents as their authors see them: made, changed, published and taken away. */
export const contentHandlers = ({ db, now }: Services): HandlersOf<typeof contentEndpoints> => {
  const found = async (on: Db, actor: Actor, id: string): Promise<Content> => {
    return existing(await on.one<Content>(sql`select ${columns(actor)} from ${source} where c.id = ${id} and ${seen(actor)}`));
  };
  const coursePackage = async (on: Db, actor: Actor, id: string): Promise<Omit<PackageRef, 'completion'>> => {
    const pack = existing(await packageById(on, actor, id));
    if (pack.manifest.kind !== 'scorm') throw invalid('package_id', 'This package is not a SCORM course.');
    return { id: pack.id, tree: pack.tree, bytes: pack.bytes, files: pack.files, manifest: pack.manifest };
  };
  /** What an author reads of a content in the audit log; `package` by its list of files, which tells one upload from another. */
  const audited = ({ title, aims, outcomes, estimated_duration, cpd_accredited, ...d }: ContentDocument, published: boolean) => ({
    ...{ title, published, aims, outcomes, estimated_duration, cpd_accredited },
    ...(d.package ? { package: d.package.tree, completion: d.package.completion } : {}),
  });
  const publish = (tx: Db, document: ContentDocument) =>
    tx.run(sql`insert into content_versions (content_id, version, document, answer_keys, published_at)
      values (${document.id}, ${document.version}, ${JSON.stringify(document)}, '{}', ${now()})`);

  return {
    listCourses: async ({ query, actor }) => {
      const where = sql`${courseOf(actor)} and ${contains([sql`k.title`, sql`k.short_title`], query.search)}`;
      return pageOf<Course>(db, '/courses', query, {
        columns: sql`k.id, k.title, k.short_title, k.published`,
        from: sql`courses k`,
        where,
        order: sql`k.title, k.id`,
      });
    },
    listContent: async ({ query, actor }) => {
      const where = sql`c.type = ${query.type} and ${seen(actor)} and ${contains([sql`c.title`, sql`k.title`], query.search)}`;
      const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`c.updated_at`, title: sql`c.title`, course: sql`k.title` }, sql`c.id`);
      return pageOf<Content>(db, '/content', query, { columns: columns(actor), from: source, where, order });
    },
    createContent: async ({ body, actor, request }) => {
      const id = randomUUID();
      return db.tx(async (tx) => {
        const course = await tx.one<ContentDocument['course']>(
          sql`select k.id, k.title, k.short_title from courses k where k.id = ${body.course_id} and ${courseOf(actor)}`,
        );
        if (!course) throw invalid('course_id', 'Choose a course of your organisation.');
        const pack = await coursePackage(tx, actor, body.package_id);
        await tx.run(sql`insert into contents (id, course_id, type, title, published, current_version, entity_id, created_at, updated_at)
          values (${id}, ${course.id}, ${body.type}, ${body.title}, ${body.published}, 1, ${actor.place.id}, ${now()}, ${now()})`);
        const { title, type, aims, outcomes, estimated_duration, cpd_accredited, completion } = body;
        const document: ContentDocument = {
          ...{
            id,
            version: 1,
            title,
            type,
            package: { ...pack, completion },
            course,
            aims,
            outcomes,
            image: null,
            estimated_duration,
            cpd_accredited,
          },
          ...{ accepts_late_progress: true, lessons: [], quizzes: [], prerequisites: [] },
        };
        await publish(tx, document);
        const subject = { kind: 'content', id, name: title } as const;
        await noteChange(
          tx,
          { actor, request },
          { entityId: actor.place.id, action: 'created', subject, after: audited(document, body.published) },
          now(),
        );
        return { data: await found(tx, actor, id) };
      });
    },
    getContent: async ({ params, actor }) => ({ data: await found(db, actor, params.id) }),
    updateContent: async ({ params, body, actor, request }) =>
      db.tx(async (tx) => {
        const row = await tx.one<{ type: string; current_version: number; published: boolean; entity_id: string }>(
          sql`select c.type, c.current_version, c.published, c.entity_id from contents c where c.id = ${params.id} and c.deleted_at is null and ${own(actor)} for update`,
        );
        const document = (
          await tx.one<{ document: ContentDocument }>(
            sql`select document from content_versions where content_id = ${params.id} and version = ${row?.current_version ?? 0}`,
          )
        )?.document;
        if (!row || !document) throw new ProductError('not_found');
        const { package_id, published, completion, ...told } = body;
        if (row.type !== 'scorm' && package_id !== undefined) throw invalid('package_id', 'Only a SCORM content plays a package.');
        const before = document.package;
        const pack = package_id === undefined || package_id === before?.id ? before : await coursePackage(tx, actor, package_id);
        const changed: ContentDocument = {
          ...document,
          ...told,
          ...(pack ? { package: { ...pack, completion: completion ?? before?.completion ?? 'reported' } } : {}),
        };
        // What learners see of it is a new version; publishing changes nothing of what they see.
        if (!isDeepStrictEqual(changed, document)) {
          await publish(tx, { ...changed, version: row.current_version + 1 });
          await tx.run(sql`update contents set current_version = current_version + 1, title = ${changed.title} where id = ${params.id}`);
        }
        await tx.run(
          sql`update contents set published = ${published === undefined ? sql`published` : sql`${published}`}, updated_at = ${now()} where id = ${params.id}`,
        );
        const subject = { kind: 'content', id: params.id, name: changed.title } as const;
        const [was, is] = [audited(document, row.published), audited(changed, published ?? row.published)];
        await noteChange(tx, { actor, request }, { entityId: row.entity_id, action: 'updated', subject, before: was, after: is }, now());
        return { data: await found(tx, actor, params.id) };
      }),
    deleteContent: ({ params, actor, request }) =>
      db.tx(async (tx) => {
        const gone = existing(
          await tx.one<{ title: string; entity_id: string; published: boolean }>(
            sql`update contents c set deleted_at = ${now()}, updated_at = ${now()} where c.id = ${params.id} and c.deleted_at is null and ${own(actor)} returning c.title, c.entity_id, c.published`,
          ),
        );
        const { title, entity_id, published } = gone;
        const subject = { kind: 'content', id: params.id, name: title } as const;
        await noteChange(tx, { actor, request }, { entityId: entity_id, action: 'deleted', subject, before: { title, published } }, now());
      }),
  };
};

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { createContent, updateContent } from '#contract/api/content.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import type { ContentDocument, PackageRef } from '#contract/entities/content.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { contentOf, courseOf, own } from '#server/features/content-creator/contents.rows.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Contents as their authors make them: added, changed, published and taken away. */
export const contentsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
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
    tx.run(
      insertRow('content_versions', {
        ...{ content_id: document.id, version: document.version, document: JSON.stringify(document) },
        ...{ answer_keys: '{}', published_at: now() },
      }),
    );

  return {
    create: (by: By, body: BodyOf<typeof createContent>): Promise<Content> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const id = randomUUID();
        const course = await tx.one<ContentDocument['course']>(
          sql`select k.id, k.title, k.short_title from courses k where k.id = ${body.course_id} and ${courseOf(actor)}`,
        );
        if (!course) throw invalid('course_id', 'Choose a course of your organisation.');
        const pack = await coursePackage(tx, actor, body.package_id);
        const { title, type, published, aims, outcomes, estimated_duration, cpd_accredited, completion } = body;
        const made = { id, course_id: course.id, type, title, published, current_version: 1, entity_id: actor.place.id };
        await tx.run(insertRow('contents', { ...made, created_at: now(), updated_at: now() }));
        const document: ContentDocument = {
          ...{ id, version: 1, title, type, package: { ...pack, completion }, course },
          ...{ aims, outcomes, image: null, estimated_duration, cpd_accredited },
          ...{ accepts_late_progress: true, lessons: [], quizzes: [], prerequisites: [] },
        };
        await publish(tx, document);
        const subject = { kind: 'content', id, name: title } as const;
        const after = audited(document, published);
        await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject, after });
        return contentOf(tx, actor, id);
      }),
    update: (by: By, id: string, body: BodyOf<typeof updateContent>): Promise<Content> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const row = await tx.one<{ type: string; current_version: number; published: boolean; entity_id: string }>(
          sql`select c.type, c.current_version, c.published, c.entity_id from contents c where c.id = ${id} and c.deleted_at is null and ${own(actor)} for update`,
        );
        const document = (
          await tx.one<{ document: ContentDocument }>(
            sql`select document from content_versions where content_id = ${id} and version = ${row?.current_version ?? 0}`,
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
          await tx.run(sql`update contents set current_version = current_version + 1, title = ${changed.title} where id = ${id}`);
        }
        await updateRows(tx, 'contents', { published, updated_at: now() }, sql`id = ${id}`);
        const subject = { kind: 'content', id, name: changed.title } as const;
        const [was, is] = [audited(document, row.published), audited(changed, published ?? row.published)];
        await noteChange(tx, by, now(), { entityId: row.entity_id, action: 'updated', subject, before: was, after: is });
        return contentOf(tx, actor, id);
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const { title, entity_id, published } = existing(
          await tx.one<{ title: string; entity_id: string; published: boolean }>(
            sql`update contents c set deleted_at = ${now()}, updated_at = ${now()} where c.id = ${id} and c.deleted_at is null and ${own(by.actor)} returning c.title, c.entity_id, c.published`,
          ),
        );
        const subject = { kind: 'content', id, name: title } as const;
        await noteChange(tx, by, now(), { entityId: entity_id, action: 'deleted', subject, before: { title, published } });
      }),
  };
};

import { randomUUID } from 'node:crypto';
import type { createCourse, updateCourse } from '#contract/api/courses.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { CourseDetail } from '#contract/entities/authored-content.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { courseDetail, courseOf, neededBy, ownCourse } from '#server/features/content-creator/courses.rows.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Row = { title: string; short_title: string; published: boolean; entity_id: string; rev: number };

/** Courses as their authors manage them. */
export const coursesOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  /** One of the organisation's own, locked until the end of the transaction. */
  const held = async (tx: Db, by: By, id: string): Promise<Row> =>
    existing(
      await tx.one<Row>(
        sql`select k.title, k.short_title, k.published, k.entity_id, k.rev from courses k where k.id = ${id} and ${courseOf(by.actor)} and ${ownCourse(by.actor)} for update`,
      ),
    );
  const auditFields = ({ title, short_title, published }: Row) => ({ title, short_title, published });
  return {
    create: (by: By, body: BodyOf<typeof createCourse>): Promise<CourseDetail> =>
      db.tx(async (tx) => {
        const id = randomUUID();
        const entity_id = by.actor.place.id;
        await tx.run(insertRow('courses', { id, ...body, entity_id, delivery: 'elearning' }));
        await tx.run(insertRow('entity_courses', { entity_id, course_id: id }));
        const subject = { kind: 'course', id, name: body.title } as const;
        await noteChange(tx, by, now(), { entityId: entity_id, action: 'created', subject, after: body });
        return courseDetail(tx, by.actor, id);
      }),
    update: (by: By, id: string, { rev, ...body }: BodyOf<typeof updateCourse>): Promise<CourseDetail> =>
      db.tx(async (tx) => {
        const before = await held(tx, by, id);
        if (rev !== undefined && rev !== before.rev)
          throw new ProductError('rev_mismatch', { extra: { current: await courseDetail(tx, by.actor, id) } });
        await updateRows(tx, 'courses', { ...body, rev: before.rev + 1 }, sql`id = ${id}`);
        const after = { ...auditFields(before), ...body };
        const subject = { kind: 'course', id, name: after.title } as const;
        await noteChange(tx, by, now(), { entityId: before.entity_id, action: 'updated', subject, before: auditFields(before), after });
        return courseDetail(tx, by.actor, id);
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const before = await held(tx, by, id);
        const needs = await neededBy(tx, by.actor, id);
        if (needs.length > 0)
          throw new ProductError('in_use', { message: `This course cannot be deleted: ${needs.join(', ')}. Take back “Published” instead.` });
        await tx.run(sql`select drop_course(${id})`);
        const subject = { kind: 'course', id, name: before.title } as const;
        await noteChange(tx, by, now(), { entityId: before.entity_id, action: 'deleted', subject, before: auditFields(before) });
      }),
  };
};

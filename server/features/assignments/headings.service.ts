import { randomUUID } from 'node:crypto';
import { can } from '#contract/can.ts';
import type { CourseCategory, Tag } from '#contract/entities/assignment.ts';
import { entityAt, listedPerson, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { type Db, sql, sqlState } from '#server/db/sql.ts';
import { categoryRows, courseRows, type Entity, tagRows } from '#server/features/assignments/assignments.rows.ts';
import { type By, type Noted, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Categories, which group courses, and tags, which find organisations and people. `tx` is a transaction. */
export const headingsOf = ({ now }: Pick<Services, 'now'>) => {
  const one = async <T extends { editable: boolean; entity: Entity }>(rows: Promise<T[]>, change = true): Promise<T> => {
    const row = existing((await rows)[0]);
    if (change && !row.editable) throw new ProductError('forbidden', { message: `${row.entity.name} created this, and only they can change it.` });
    return row;
  };
  const free = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      throw sqlState(error) === '23505' ? invalid('name', 'There is one of this name already.') : error;
    });
  const note = (tx: Db, by: By, entityId: string, kind: 'category' | 'tag', { id, name }: { id: string; name: string }, noted: Noted) =>
    noteChange(tx, by, now(), { entityId, subject: { kind, id, name }, ...noted });
  const byId = (id: string) => sql`g.id = ${id}`;

  return {
    createCategory: async (tx: Db, by: By, slug: string, name: string): Promise<CourseCategory> => {
      const entity = await entityAt(tx, by.actor, slug);
      const id = randomUUID();
      const place = sql`(select count(*)::int from course_categories where entity_id = ${entity.id})`;
      await free(tx.run(insertRow('course_categories', { id, entity_id: entity.id, name, place })));
      const row = await one(categoryRows(tx, by.actor, entity, byId(id)));
      await note(tx, by, entity.id, 'category', row, { action: 'created', after: { name: row.name } });
      return row;
    },
    updateCategory: async (
      tx: Db,
      by: By,
      slug: string,
      id: string,
      { name, course_ids: courseIds }: { name?: string | undefined; course_ids?: string[] | undefined },
    ): Promise<CourseCategory> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await one(categoryRows(tx, by.actor, entity, byId(id)));
      if (name !== undefined) await free(tx.run(sql`update course_categories set name = ${name} where id = ${id}`));
      if (courseIds) {
        const had = await courseRows(tx, before.entity, sql`k.id = any(${courseIds}::uuid[])`);
        if (had.length !== new Set(courseIds).size) throw invalid('course_ids', 'Choose courses that the organisation has.');
        await tx.run(sql`delete from course_category_courses where category_id = ${id} and course_id <> all(${courseIds}::uuid[])`);
        await tx.run(
          sql`insert into course_category_courses (category_id, course_id) select ${id}, unnest(${courseIds}::uuid[]) on conflict do nothing`,
        );
      }
      const after = await one(categoryRows(tx, by.actor, entity, byId(id)));
      const auditFields = (c: CourseCategory) => ({ name: c.name, courses: c.courses.map((k) => k.name) });
      await note(tx, by, after.entity.id, 'category', after, { action: 'updated', before: auditFields(before), after: auditFields(after) });
      return after;
    },
    deleteCategory: async (tx: Db, by: By, slug: string, id: string): Promise<void> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await one(categoryRows(tx, by.actor, entity, byId(id)));
      await tx.run(sql`delete from course_categories where id = ${id}`);
      await note(tx, by, before.entity.id, 'category', before, { action: 'deleted', before: { name: before.name } });
    },
    createTag: async (tx: Db, by: By, slug: string, name: string): Promise<Tag> => {
      const entity = await entityAt(tx, by.actor, slug);
      const id = randomUUID();
      await free(tx.run(insertRow('tags', { id, entity_id: entity.id, name })));
      const row = await one(tagRows(tx, by.actor, entity, byId(id)));
      await note(tx, by, entity.id, 'tag', row, { action: 'created', after: { name: row.name } });
      return row;
    },
    updateTag: async (
      tx: Db,
      by: By,
      slug: string,
      id: string,
      {
        name,
        entity_ids: entityIds,
        user_ids: userIds,
      }: { name?: string | undefined; entity_ids?: string[] | undefined; user_ids?: string[] | undefined },
    ): Promise<Tag> => {
      const { actor } = by;
      const entity = await entityAt(tx, actor, slug);
      // A tag from above can be used below too; only its owner can rename it.
      const before = await one(tagRows(tx, actor, entity, byId(id)), name !== undefined);
      if (name !== undefined) {
        if (!can(actor.user, 'tag.manage')) throw new ProductError('forbidden', { fields: { name: ['You do not have permission to change this.'] } });
        await free(tx.run(sql`update tags set name = ${name} where id = ${id}`));
      }
      if ((entityIds || userIds) && !can(actor.user, 'tag.link'))
        throw new ProductError('forbidden', {
          fields: { [entityIds ? 'entity_ids' : 'user_ids']: ['You do not have permission to change this.'] },
        });
      if (entityIds) {
        const seen = await tx.all<{ id: string }>(
          sql`select e.id from entities e where e.id = any(${entityIds}::uuid[]) and ${visibleEntity(actor)}`,
        );
        if (seen.length !== new Set(entityIds).size) throw invalid('entity_ids', 'Choose organisations that you can see.');
        await tx.run(
          sql`delete from tag_entities x using entities e where x.tag_id = ${id} and e.id = x.entity_id and e.id <> all(${entityIds}::uuid[]) and ${visibleEntity(actor)}`,
        );
        await tx.run(sql`insert into tag_entities (tag_id, entity_id) select ${id}, unnest(${entityIds}::uuid[]) on conflict do nothing`);
      }
      if (userIds) {
        const seen = await tx.all<{ id: string }>(sql`select u.id from users u where u.id = any(${userIds}::uuid[]) and ${visiblePerson(actor)}`);
        if (seen.length !== new Set(userIds).size) throw invalid('user_ids', 'Choose people that you can see.');
        await tx.run(
          sql`delete from tag_users x using users u where x.tag_id = ${id} and u.id = x.user_id and u.id <> all(${userIds}::uuid[]) and ${listedPerson(actor)}`,
        );
        await tx.run(sql`insert into tag_users (tag_id, user_id) select ${id}, unnest(${userIds}::uuid[]) on conflict do nothing`);
      }
      const after = await one(tagRows(tx, actor, entity, byId(id)), false);
      const auditFields = (t: Tag) => ({ name: t.name, marks: [...t.entities, ...t.people].map((r) => r.name) });
      await note(tx, by, entity.id, 'tag', after, { action: 'updated', before: auditFields(before), after: auditFields(after) });
      return after;
    },
    deleteTag: async (tx: Db, by: By, slug: string, id: string): Promise<void> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await one(tagRows(tx, by.actor, entity, byId(id)));
      await tx.run(sql`delete from tags where id = ${id}`);
      await note(tx, by, before.entity.id, 'tag', before, { action: 'deleted', before: { name: before.name } });
    },
  };
};

import { can } from '#contract/can.ts';
import type { EntityContent, EntityCourse } from '#contract/entities/assignment.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { entityAndAbove, entityAt, hasCourseHere, visibleEntity } from '#server/db/seen.ts';
import { type Db, sql, word } from '#server/db/sql.ts';
import { type Entity, oneContent, oneCourse } from '#server/features/assignments/assignments.rows.ts';
import { type By, type Noted, noteChange } from '#server/note-change.ts';
import { givenTo } from '#server/features/learning/contents.rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

type ForWhom = { role_ids?: string[] | undefined; type_ids?: string[] | undefined };
const everyone: { role_ids: string[]; type_ids: string[] } = { role_ids: [], type_ids: [] };

/** Which courses and contents organisations have, and for whom. `tx` is a transaction. */
export const assignmentsOf = ({ now }: Pick<Services, 'now'>) => {
  /** Job roles and user types must be in use at the receiving organisation. */
  const checkForWhom = async (tx: Db, entityId: string, { role_ids, type_ids }: ForWhom) => {
    for (const [field, table, ids] of [
      ['role_ids', sql`roles`, role_ids],
      ['type_ids', sql`types`, type_ids],
    ] as const) {
      if (!ids || ids.length === 0) continue;
      const known = await tx.one<{ n: number }>(
        sql`select count(*)::int as n from ${table} g where g.id = any(${[...new Set(ids)]}::uuid[]) and g.entity_id in (${entityAndAbove(entityId)})`,
      );
      if (known?.n !== new Set(ids).size) throw invalid(field, 'One of these is not used there. Choose among those that are.');
    }
  };
  const forWhomOf = ({ roles, types }: { roles: { id: string }[]; types: { id: string }[] }) => ({
    role_ids: roles.map((r) => r.id),
    type_ids: types.map((t) => t.id),
  });
  /** Assigns a course or a content to an organisation, or changes its audience. */
  const give = (tx: Db, { id: entity_id }: Entity, kind: 'course' | 'content', id: string, forWhom: ForWhom, before = everyone) => {
    const { role_ids = before.role_ids, type_ids = before.type_ids } = forWhom;
    const values = { entity_id, [`${kind}_id`]: id, role_ids, type_ids, added_at: now() };
    return tx.run(sql`${insertRow(`entity_${kind}s`, values)}
      on conflict (entity_id, ${word(`${kind}_id`)}) do update set role_ids = excluded.role_ids, type_ids = excluded.type_ids`);
  };
  /** What the caller can assign further: what their own organisation has or made. */
  const contentIsTheirs = (actor: Actor) =>
    actor.seesAll ? sql`true` : sql`(c.entity_id = ${actor.place.id} or c.published and ${givenTo(entityAndAbove(actor.place.id))})`;

  const auditFields = (row: { from: Entity; roles: { name: string }[]; types: { name: string }[]; categories?: { name: string }[] }) => ({
    ...{ given_to: row.from.name, job_roles: row.roles.map((r) => r.name), user_types: row.types.map((t) => t.name) },
    ...(row.categories ? { categories: row.categories.map((c) => c.name) } : {}),
  });
  const note = (tx: Db, by: By, entityId: string, kind: 'course' | 'content', { id, title: name }: { id: string; title: string }, noted: Noted) =>
    noteChange(tx, by, now(), { entityId, subject: { kind, id, name }, ...noted });
  /** The audience with which something reaches an organisation from above: that of the nearest assignment. Everybody if there is none. */
  const fromAbove = async (tx: Db, { id: place }: Entity, kind: 'course' | 'content', id: string): Promise<Required<ForWhom>> =>
    (await tx.one<Required<ForWhom>>(sql`select x.role_ids, x.type_ids from ${word(`entity_${kind}s`)} x
      where x.${word(`${kind}_id`)} = ${id} and x.entity_id in (${entityAndAbove(place)})
      order by (select count(*) from entity_below d where d.below = x.entity_id) desc limit 1`)) ?? everyone;
  /** The audience of an assignment: people who may not restrict it pass on the audience it came with. */
  const handedOn = (actor: Actor, before: Required<ForWhom>, wish: ForWhom): ForWhom =>
    can(actor.user, 'content.restrict') ? { ...everyone, ...wish } : { ...before, ...wish };
  /** Only people who may restrict content change the audience of a course or content. */
  const requireMayRestrict = (actor: Actor, before: Required<ForWhom>, after: ForWhom) => {
    if (can(actor.user, 'content.restrict')) return;
    const sorted = (ids: readonly string[]) => [...new Set(ids)].sort().join();
    for (const field of ['role_ids', 'type_ids'] as const)
      if (after[field] && sorted(after[field]) !== sorted(before[field] ?? []))
        throw new ProductError('forbidden', { fields: { [field]: ['You do not have permission to change this.'] } });
  };
  const giveAsAsked = async (tx: Db, by: By, entity: Entity, kind: 'course' | 'content', id: string, asked: ForWhom): Promise<void> => {
    const before = await fromAbove(tx, entity, kind, id);
    const forWhom = handedOn(by.actor, before, asked);
    requireMayRestrict(by.actor, before, forWhom);
    await checkForWhom(tx, entity.id, forWhom);
    await give(tx, entity, kind, id, forWhom);
  };
  const giveContentTo = async (tx: Db, by: By, entity: Entity, contentId: string, forWhom: ForWhom): Promise<EntityContent> => {
    const content = await tx.one<{ id: string }>(
      sql`select c.id from contents c where c.id = ${contentId} and c.deleted_at is null and ${contentIsTheirs(by.actor)}`,
    );
    if (!content) throw invalid('content_id', 'Choose a content that your organisation has.');
    await giveAsAsked(tx, by, entity, 'content', contentId, forWhom);
    const row = await oneContent(tx, entity, contentId);
    await note(tx, by, entity.id, 'content', row, { action: 'granted', after: auditFields(row) });
    return row;
  };
  const changeContent = async (tx: Db, by: By, entity: Entity, contentId: string, forWhom: ForWhom): Promise<EntityContent> => {
    const before = await oneContent(tx, entity, contentId);
    if (!before.given_here)
      throw new ProductError('forbidden', { message: `This content comes from ${before.from.name}, and can be changed there.` });
    requireMayRestrict(by.actor, forWhomOf(before), forWhom);
    await checkForWhom(tx, entity.id, forWhom);
    await give(tx, entity, 'content', contentId, forWhom, forWhomOf(before));
    const after = await oneContent(tx, entity, contentId);
    await note(tx, by, entity.id, 'content', after, { action: 'updated', before: auditFields(before), after: auditFields(after) });
    return after;
  };
  const giveCourseTo = async (tx: Db, by: By, entity: Entity, id: string, forWhom: ForWhom): Promise<EntityCourse> => {
    const course = await tx.one<{ title: string }>(sql`select k.title from courses k where k.id = ${id} and ${hasCourseHere(by.actor)}`);
    if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
    await giveAsAsked(tx, by, entity, 'course', id, forWhom);
    const row = await oneCourse(tx, entity, id);
    await note(tx, by, entity.id, 'course', row, { action: 'granted', after: auditFields(row) });
    return row;
  };
  const visibleOnes = async (tx: Db, actor: Actor, ids: readonly string[]): Promise<Entity[]> => {
    const uniqueIds = [...new Set(ids)];
    const entities = await tx.all<Entity>(
      sql`select e.id, e.name, e.slug from entities e where e.id = any(${uniqueIds}::uuid[]) and ${visibleEntity(actor)}`,
    );
    if (entities.length !== uniqueIds.length) throw invalid('entity_ids', 'Choose organisations that you can see.');
    return entities;
  };

  return {
    giveCourse: async (tx: Db, by: By, slug: string, { course_id: id, ...forWhom }: ForWhom & { course_id: string }): Promise<EntityCourse> =>
      giveCourseTo(tx, by, await entityAt(tx, by.actor, slug), id, forWhom),
    giveCourses: async (
      tx: Db,
      by: By,
      { entity_ids: entityIds, course_ids: courseIds, ...forWhom }: ForWhom & { entity_ids: string[]; course_ids: string[] },
    ): Promise<{ given: number }> => {
      const entities = await visibleOnes(tx, by.actor, entityIds);
      for (const entity of entities) for (const id of new Set(courseIds)) await giveCourseTo(tx, by, entity, id, forWhom);
      return { given: entities.length * new Set(courseIds).size };
    },
    updateCourse: async (
      tx: Db,
      by: By,
      slug: string,
      id: string,
      { category_ids: categoryIds, ...forWhom }: ForWhom & { category_ids?: string[] | undefined },
    ): Promise<EntityCourse> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await oneCourse(tx, entity, id);
      if (forWhom.role_ids || forWhom.type_ids) {
        const assignedHere = before.from.id === entity.id;
        if (!assignedHere)
          throw new ProductError('forbidden', { message: `This course comes from ${before.from.name}, which decides who it is for.` });
        requireMayRestrict(by.actor, forWhomOf(before), forWhom);
        await checkForWhom(tx, entity.id, forWhom);
        await give(tx, entity, 'course', id, forWhom, forWhomOf(before));
      }
      if (categoryIds) {
        const known = await tx.all<{ id: string }>(sql`select id from course_categories where entity_id = ${entity.id}`);
        const added = categoryIds.filter((id) => !before.categories.some((c) => c.id === id));
        if (added.some((id) => !known.some((k) => k.id === id))) throw invalid('category_ids', 'Choose categories of this organisation.');
        await tx.run(
          sql`delete from course_category_courses where course_id = ${id} and category_id = any(${known.map((k) => k.id)}::uuid[]) and category_id <> all(${categoryIds}::uuid[])`,
        );
        await tx.run(sql`insert into course_category_courses (category_id, course_id) select unnest(${added}::uuid[]), ${id} on conflict do nothing`);
      }
      const after = await oneCourse(tx, entity, id);
      await note(tx, by, entity.id, 'course', after, { action: 'updated', before: auditFields(before), after: auditFields(after) });
      return after;
    },
    takeCourse: async (tx: Db, by: By, slug: string, id: string): Promise<void> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await oneCourse(tx, entity, id);
      existing(before.given_here);
      await tx.run(sql`delete from entity_courses where entity_id = ${entity.id} and course_id = ${id}`);
      await note(tx, by, entity.id, 'course', before, { action: 'revoked', before: auditFields(before) });
    },
    giveContent: async (tx: Db, by: By, slug: string, { content_id: id, ...forWhom }: ForWhom & { content_id: string }): Promise<EntityContent> =>
      giveContentTo(tx, by, await entityAt(tx, by.actor, slug), id, forWhom),
    updateContents: async (tx: Db, by: By, slug: string, ids: readonly string[], forWhom: ForWhom): Promise<EntityContent[]> => {
      const entity = await entityAt(tx, by.actor, slug);
      const changed: EntityContent[] = [];
      for (const id of ids) changed.push(await changeContent(tx, by, entity, id, forWhom));
      return changed;
    },
    takeContent: async (tx: Db, by: By, slug: string, id: string): Promise<void> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await oneContent(tx, entity, id);
      existing(before.given_here);
      await tx.run(sql`delete from entity_contents where entity_id = ${entity.id} and content_id = ${id}`);
      await note(tx, by, entity.id, 'content', before, { action: 'revoked', before: auditFields(before) });
    },
    giveContents: async (
      tx: Db,
      by: By,
      { entity_ids: entityIds, content_ids: contentIds, ...forWhom }: ForWhom & { entity_ids: string[]; content_ids: string[] },
    ): Promise<{ given: number }> => {
      const entities = await visibleOnes(tx, by.actor, entityIds);
      for (const entity of entities) for (const id of new Set(contentIds)) await giveContentTo(tx, by, entity, id, forWhom);
      return { given: entities.length * new Set(contentIds).size };
    },
  };
};

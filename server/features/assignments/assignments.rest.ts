import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { assignmentEndpoints } from '#contract/api/assignments.ts';
import type { AvailableCourse, AvailableTraining, CourseCategory, EntityContent, EntityCourse, Tag } from '#contract/entities/assignment.ts';
import type { AuditAction, AuditSubject } from '#contract/entities/audit.ts';
import { can } from '#contract/can.ts';
import { type Db, instant, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { noteChange } from '#server/features/audit/note-change.ts';
import { entityAndAbove, hasCourse, hasCourseHere, listedPerson, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { givenTo, mayTake } from '#server/features/learning/contents.sql.ts';
import { contains, countOf, existing, orderBy, pagesOf, pagePart } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/http/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

type By = { actor: Actor; request: FastifyRequest };
type Entity = { id: string; name: string; slug: string };
type ForWhom = { role_ids?: string[] | undefined; type_ids?: string[] | undefined };

const ref = (row: Statement) => sql`json_build_object('id', ${row}.id, 'name', ${row}.name, 'slug', ${row}.slug)`;
const named = (table: Statement, ids: Statement) =>
  sql`coalesce((select json_agg(json_build_object('id', n.id, 'name', n.name) order by lower(n.name), n.id) from ${table} n where n.id = any(${ids})), '[]')`;

/** What organisations have to learn from, for whom, under which headings; and the tags by which things are found. */
export const assignmentHandlers = ({ db, now }: Services): HandlersOf<typeof assignmentEndpoints> => {
  const entityOf = async (on: Db, actor: Actor, slug: string): Promise<Entity> => {
    const entity = existing(
      await on.one<Entity>(sql`select e.id, e.name, e.slug from entities e where e.slug = ${slug} and ${visibleEntity(actor)}`),
    );
    return entity;
  };
  const note = (tx: Db, by: By, entityId: string, action: AuditAction, subject: { kind: AuditSubject; id: string; name: string }, more: object) =>
    noteChange(tx, by, { entityId, action, subject, ...more }, now());
  /** Job roles and user types are those that are used where something is given to. */
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
  /** What the caller can hand on: what their own place has, or made. */
  const contentIsTheirs = (actor: Actor) =>
    actor.seesAll ? sql`true` : sql`(c.entity_id = ${actor.place.id} or c.published and ${givenTo(entityAndAbove(actor.place.id))})`;

  const courseRows = (on: Db, entity: Entity, more: Statement): Promise<EntityCourse[]> =>
    on.all<EntityCourse>(sql`select k.id, k.title, k.published, json_build_object('id', o.id, 'name', o.name) as owner, ${ref(sql`f`)} as "from",
        ec.entity_id = ${entity.id} as given_here, ${named(sql`roles`, sql`coalesce(ec.role_ids, '{}')`)} as roles, ${named(sql`types`, sql`coalesce(ec.type_ids, '{}')`)} as types,
        coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.place, lower(g.name)) from course_categories g join course_category_courses x on x.category_id = g.id
          where x.course_id = k.id and g.entity_id in (${entityAndAbove(entity.id)})), '[]') as categories,
        (select count(*)::int from contents c where c.course_id = k.id and c.published and c.deleted_at is null and ${givenTo(entityAndAbove(entity.id))}) as contents,
        ${instant(sql`ec.added_at`)} as added_at
      from courses k join entity_names o on o.id = k.entity_id
      left join lateral (select * from entity_courses x where x.course_id = k.id and x.entity_id in (${entityAndAbove(entity.id)}) order by x.entity_id = ${entity.id} desc limit 1) ec on true
      join entity_names f on f.id = coalesce(ec.entity_id, k.entity_id)
      where (ec.course_id is not null or k.entity_id in (${entityAndAbove(entity.id)})) and ${more}`);
  const oneCourse = async (on: Db, entity: Entity, courseId: string): Promise<EntityCourse> => {
    const row = existing((await courseRows(on, entity, sql`k.id = ${courseId}`))[0]);
    return { ...row, given_here: row.given_here ?? false };
  };
  const contentRows = (on: Db, entity: Entity, more: Statement): Promise<EntityContent[]> =>
    on.all<EntityContent>(sql`select c.id, c.title, c.published, json_build_object('id', k.id, 'title', k.title) as course, json_build_object('id', o.id, 'name', o.name) as owner,
        ${ref(sql`f`)} as "from", x.entity_id = ${entity.id} as given_here, ${named(sql`roles`, sql`x.role_ids`)} as roles, ${named(sql`types`, sql`x.type_ids`)} as types, ${instant(sql`x.added_at`)} as added_at
      from contents c join courses k on k.id = c.course_id join entity_names o on o.id = c.entity_id
      join lateral (select * from entity_contents y where y.content_id = c.id and y.entity_id in (${entityAndAbove(entity.id)}) order by y.entity_id = ${entity.id} desc limit 1) x on true
      join entities f on f.id = x.entity_id
      where c.deleted_at is null and ${more}`);
  const oneContent = async (on: Db, entity: Entity, contentId: string): Promise<EntityContent> => {
    return existing((await contentRows(on, entity, sql`c.id = ${contentId}`))[0]);
  };
  const told = (row: { from: Entity; roles: { name: string }[]; types: { name: string }[]; categories?: { name: string }[] }) => ({
    ...{ given_to: row.from.name, job_roles: row.roles.map((r) => r.name), user_types: row.types.map((t) => t.name) },
    ...(row.categories ? { categories: row.categories.map((c) => c.name) } : {}),
  });
  /** Whom a content is limited to is changed only by who may restrict content. */
  const requireMayRestrict = (actor: Actor, before: Required<ForWhom>, after: ForWhom) => {
    if (can(actor.user, 'content.restrict')) return;
    const sorted = (ids: readonly string[]) => [...new Set(ids)].sort().join();
    for (const field of ['role_ids', 'type_ids'] as const)
      if (after[field] && sorted(after[field]) !== sorted(before[field] ?? []))
        throw new ProductError('forbidden', { fields: { [field]: ['You do not have permission to change this.'] } });
  };
  const giveContentTo = async (tx: Db, by: By, entity: Entity, contentId: string, forWhom: ForWhom): Promise<EntityContent> => {
    const content = await tx.one<{ id: string }>(
      sql`select c.id from contents c where c.id = ${contentId} and c.deleted_at is null and ${contentIsTheirs(by.actor)}`,
    );
    if (!content) throw invalid('content_id', 'Choose a content that your organisation has.');
    const given = await tx.one<{ role_ids: string[]; type_ids: string[] }>(
      sql`select role_ids, type_ids from entity_contents where entity_id = ${entity.id} and content_id = ${contentId}`,
    );
    requireMayRestrict(by.actor, given ?? { role_ids: [], type_ids: [] }, { role_ids: [], type_ids: [], ...forWhom });
    await checkForWhom(tx, entity.id, forWhom);
    await tx.run(sql`insert into entity_contents (entity_id, content_id, role_ids, type_ids, added_at)
      values (${entity.id}, ${contentId}, ${forWhom.role_ids ?? []}, ${forWhom.type_ids ?? []}, ${now()})
      on conflict (entity_id, content_id) do update set role_ids = excluded.role_ids, type_ids = excluded.type_ids`);
    const row = await oneContent(tx, entity, contentId);
    await note(tx, by, entity.id, 'granted', { kind: 'content', id: contentId, name: row.title }, { after: told(row) });
    return row;
  };
  const changeContent = async (tx: Db, by: By, entity: Entity, contentId: string, forWhom: ForWhom): Promise<EntityContent> => {
    const before = await oneContent(tx, entity, contentId);
    if (!before.given_here) throw new ProductError('forbidden', { message: `${before.from.name} was given this content, and it is changed there.` });
    requireMayRestrict(by.actor, { role_ids: before.roles.map((r) => r.id), type_ids: before.types.map((t) => t.id) }, forWhom);
    await checkForWhom(tx, entity.id, forWhom);
    await tx.run(sql`update entity_contents set role_ids = ${forWhom.role_ids ?? before.roles.map((r) => r.id)}, type_ids = ${forWhom.type_ids ?? before.types.map((t) => t.id)}
      where entity_id = ${entity.id} and content_id = ${contentId}`);
    const after = await oneContent(tx, entity, contentId);
    await note(tx, by, entity.id, 'updated', { kind: 'content', id: contentId, name: after.title }, { before: told(before), after: told(after) });
    return after;
  };

  const categoryRows = (on: Db, actor: Actor, entity: Entity, more: Statement): Promise<CourseCategory[]> =>
    on.all<CourseCategory>(sql`select g.id, g.name, ${ref(sql`e`)} as entity, ${visibleEntity(actor)} as editable,
        coalesce((select json_agg(json_build_object('id', k.id, 'name', k.title) order by k.title, k.id) from course_category_courses x join courses k on k.id = x.course_id where x.category_id = g.id), '[]') as courses
      from course_categories g join entities e on e.id = g.entity_id where g.entity_id in (${entityAndAbove(entity.id)}) and ${more} order by g.place, lower(g.name), g.id`);
  const tagRows = (on: Db, actor: Actor, entity: Entity, more: Statement): Promise<Tag[]> =>
    on.all<Tag>(sql`select g.id, g.name, ${ref(sql`o`)} as entity, ${actor.seesAll ? sql`true` : sql`o.id = any(${[...actor.entityIds]}::uuid[])`} as editable,
        coalesce((select json_agg(json_build_object('id', e.id, 'name', e.name) order by e.name, e.id) from tag_entities x join entities e on e.id = x.entity_id where x.tag_id = g.id and ${visibleEntity(actor)}), '[]') as entities,
        coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name, u.id) from tag_users x join users u on u.id = x.user_id where x.tag_id = g.id and ${listedPerson(actor)}), '[]') as people
      from tags g join entities o on o.id = g.entity_id where g.entity_id in (${entityAndAbove(entity.id)}) and ${more} order by lower(g.name), g.id`);
  const one = async <T extends { editable: boolean; entity: Entity }>(rows: Promise<T[]>, change = true): Promise<T> => {
    const row = existing((await rows)[0]);
    if (change && !row.editable) throw new ProductError('forbidden', { message: `${row.entity.name} created this, and only they can change it.` });
    return row;
  };
  const free = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      throw sqlState(error) === '23505' ? invalid('name', 'There is one of this name already.') : error;
    });
  const byId = (id: string) => sql`g.id = ${id}`;

  const available = async (actor: Actor, id: string, more: Statement): Promise<AvailableCourse[]> => {
    const person = existing(
      await db.one<{ id: string; place: string; type_id: string | null }>(
        sql`select u.id, u.primary_entity_id as place, u.type_id from users u where u.id = ${id} and ${visiblePerson(actor)}`,
      ),
    );
    return db.all<AvailableCourse>(sql`select k.id, k.title, ct.id as content_id, ct.minutes as estimated_duration, q.id is not null as required,
        ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at,
        coalesce((select json_agg(g.name order by g.place, lower(g.name)) from course_categories g join course_category_courses x on x.category_id = g.id where x.course_id = k.id and g.entity_id in (${entityAndAbove(person.place)})), '[]') as categories
      from courses k left join required_of(${person.id}) q on q.course_id = k.id
      left join lateral (select completed_at, expires_at from results where user_id = ${id} and course_id = k.id order by completed_at desc limit 1) r on true
      left join lateral (select c.id, (v.document ->> 'estimated_duration')::int as minutes from contents c join content_versions v on v.content_id = c.id and v.version = c.current_version
        where c.course_id = k.id and c.type in ('elearning', 'scorm') and c.published and c.deleted_at is null and ${mayTake(entityAndAbove(person.place), person)} order by c.created_at desc, c.id limit 1) ct on true
      where k.published and (ct.id is not null or q.id is not null) and ${more} order by k.title, k.id limit 1000`);
  };

  return {
    listEntityCourses: async ({ params, query, actor }) => {
      const entity = await entityOf(db, actor, params.slug);
      const where = contains([sql`k.title`], query.search);
      const total = await countOf(db, sql`courses k where ${hasCourse(entity.id)} and ${where}`);
      const rows = await courseRows(
        db,
        entity,
        sql`${where} order by ${orderBy(query.sort ?? 'title', { title: sql`k.title` }, sql`k.id`)} ${pagePart(query)}`,
      );
      return { data: rows.map((r) => ({ ...r, given_here: r.given_here ?? false })), ...pagesOf(`/entities/${params.slug}/courses`, query, total) };
    },
    giveCourse: ({ params, body: { course_id: courseId, ...forWhom }, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const course = await tx.one<{ title: string }>(sql`select k.title from courses k where k.id = ${courseId} and ${hasCourseHere(by.actor)}`);
        if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
        await checkForWhom(tx, entity.id, forWhom);
        await tx.run(sql`insert into entity_courses (entity_id, course_id, role_ids, type_ids, added_at) values (${entity.id}, ${courseId}, ${forWhom.role_ids ?? []}, ${forWhom.type_ids ?? []}, ${now()})
          on conflict (entity_id, course_id) do update set role_ids = excluded.role_ids, type_ids = excluded.type_ids`);
        const row = await oneCourse(tx, entity, courseId);
        await note(tx, by, entity.id, 'granted', { kind: 'course', id: courseId, name: course.title }, { after: told(row) });
        return { data: row };
      }),
    updateGivenCourse: ({ params, body: { category_ids: categoryIds, ...forWhom }, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await oneCourse(tx, entity, params.courseId);
        if (forWhom.role_ids || forWhom.type_ids) {
          const own = before.from.id === entity.id;
          if (!own) throw new ProductError('forbidden', { message: `This course comes from ${before.from.name}, and for whom it is is said there.` });
          await checkForWhom(tx, entity.id, forWhom);
          const [roles, types] = [forWhom.role_ids ?? before.roles.map((r) => r.id), forWhom.type_ids ?? before.types.map((t) => t.id)];
          await tx.run(sql`insert into entity_courses (entity_id, course_id, role_ids, type_ids, added_at) values (${entity.id}, ${params.courseId}, ${roles}, ${types}, ${now()})
            on conflict (entity_id, course_id) do update set role_ids = excluded.role_ids, type_ids = excluded.type_ids`);
        }
        if (categoryIds) {
          const known = await tx.all<{ id: string }>(sql`select id from course_categories where entity_id = ${entity.id}`);
          const given = categoryIds.filter((id) => !before.categories.some((c) => c.id === id));
          if (given.some((id) => !known.some((k) => k.id === id))) throw invalid('category_ids', 'Choose categories of this organisation.');
          await tx.run(
            sql`delete from course_category_courses where course_id = ${params.courseId} and category_id = any(${known.map((k) => k.id)}::uuid[]) and category_id <> all(${categoryIds}::uuid[])`,
          );
          await tx.run(
            sql`insert into course_category_courses (category_id, course_id) select unnest(${given}::uuid[]), ${params.courseId} on conflict do nothing`,
          );
        }
        const after = await oneCourse(tx, entity, params.courseId);
        await note(tx, by, entity.id, 'updated', { kind: 'course', id: after.id, name: after.title }, { before: told(before), after: told(after) });
        return { data: after };
      }),
    takeCourse: ({ params, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await oneCourse(tx, entity, params.courseId);
        existing(before.given_here);
        await tx.run(sql`delete from entity_courses where entity_id = ${entity.id} and course_id = ${params.courseId}`);
        await note(tx, by, entity.id, 'revoked', { kind: 'course', id: before.id, name: before.title }, { before: told(before) });
      }),
    coursesOfEntities: async ({ query, actor }) => ({
      data: await db.all<{ entity_id: string; courses: { id: string; title: string }[] }>(sql`select e.id as entity_id,
          coalesce((select json_agg(json_build_object('id', k.id, 'title', k.title) order by k.title, k.id) from courses k where ${hasCourse(sql`e.id`)}), '[]') as courses
        from entities e where e.id::text = any(${query.entityIds.split(',')}::text[]) and ${visibleEntity(actor)} order by e.name, e.id`),
    }),

    listEntityContents: async ({ params, query, actor }) => {
      const entity = await entityOf(db, actor, params.slug);
      const where = contains([sql`c.title`], query.search);
      const all = await contentRows(db, entity, sql`${where} order by ${orderBy(query.sort ?? 'title', { title: sql`c.title` }, sql`c.id`)}`);
      return {
        data: all.slice((query.page - 1) * query.per_page, query.page * query.per_page),
        ...pagesOf(`/entities/${params.slug}/content`, query, all.length),
      };
    },
    giveContent: ({ params, body: { content_id: contentId, ...forWhom }, ...by }) =>
      db.tx(async (tx) => ({ data: await giveContentTo(tx, by, await entityOf(tx, by.actor, params.slug), contentId, forWhom) })),
    updateGivenContents: ({ params, body: { content_ids: ids, ...forWhom }, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const changed: EntityContent[] = [];
        for (const id of ids) changed.push(await changeContent(tx, by, entity, id, forWhom));
        return { data: changed };
      }),
    updateGivenContent: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: await changeContent(tx, by, await entityOf(tx, by.actor, params.slug), params.contentId, body) })),
    takeContent: ({ params, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await oneContent(tx, entity, params.contentId);
        existing(before.given_here);
        await tx.run(sql`delete from entity_contents where entity_id = ${entity.id} and content_id = ${params.contentId}`);
        await note(tx, by, entity.id, 'revoked', { kind: 'content', id: before.id, name: before.title }, { before: told(before) });
      }),
    giveContents: ({ body: { entity_ids: entityIds, content_ids: contentIds, ...forWhom }, ...by }) =>
      db.tx(async (tx) => {
        const entities = await tx.all<Entity>(
          sql`select e.id, e.name, e.slug from entities e where e.id = any(${[...new Set(entityIds)]}::uuid[]) and ${visibleEntity(by.actor)}`,
        );
        if (entities.length !== new Set(entityIds).size) throw invalid('entity_ids', 'Choose organisations that you can see.');
        for (const entity of entities) for (const id of new Set(contentIds)) await giveContentTo(tx, by, entity, id, forWhom);
        return { data: { given: entities.length * new Set(contentIds).size } };
      }),

    listCategories: async ({ params, actor }) => ({ data: await categoryRows(db, actor, await entityOf(db, actor, params.slug), sql`true`) }),
    createCategory: ({ params, body, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const id = randomUUID();
        await free(
          tx.run(
            sql`insert into course_categories (id, entity_id, name, place) values (${id}, ${entity.id}, ${body.name}, (select count(*)::int from course_categories where entity_id = ${entity.id}))`,
          ),
        );
        const row = await one(categoryRows(tx, by.actor, entity, byId(id)));
        await note(tx, by, entity.id, 'created', { kind: 'category', id, name: row.name }, { after: { name: row.name } });
        return { data: row };
      }),
    updateCategory: ({ params, body: { name, course_ids: courseIds }, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await one(categoryRows(tx, by.actor, entity, byId(params.id)));
        if (name !== undefined) await free(tx.run(sql`update course_categories set name = ${name} where id = ${params.id}`));
        if (courseIds) {
          const had = await courseRows(tx, before.entity, sql`k.id = any(${courseIds}::uuid[])`);
          if (had.length !== new Set(courseIds).size) throw invalid('course_ids', 'Choose courses that the organisation has.');
          await tx.run(sql`delete from course_category_courses where category_id = ${params.id} and course_id <> all(${courseIds}::uuid[])`);
          await tx.run(
            sql`insert into course_category_courses (category_id, course_id) select ${params.id}, unnest(${courseIds}::uuid[]) on conflict do nothing`,
          );
        }
        const after = await one(categoryRows(tx, by.actor, entity, byId(params.id)));
        const told = (c: CourseCategory) => ({ name: c.name, courses: c.courses.map((k) => k.name) });
        await note(
          tx,
          by,
          after.entity.id,
          'updated',
          { kind: 'category', id: after.id, name: after.name },
          { before: told(before), after: told(after) },
        );
        return { data: after };
      }),
    deleteCategory: ({ params, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await one(categoryRows(tx, by.actor, entity, byId(params.id)));
        await tx.run(sql`delete from course_categories where id = ${params.id}`);
        await note(tx, by, before.entity.id, 'deleted', { kind: 'category', id: before.id, name: before.name }, { before: { name: before.name } });
      }),

    listTags: async ({ params, actor }) => ({ data: await tagRows(db, actor, await entityOf(db, actor, params.slug), sql`true`) }),
    createTag: ({ params, body, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const id = randomUUID();
        await free(tx.run(sql`insert into tags (id, entity_id, name) values (${id}, ${entity.id}, ${body.name})`));
        const row = await one(tagRows(tx, by.actor, entity, byId(id)));
        await note(tx, by, entity.id, 'created', { kind: 'tag', id, name: row.name }, { after: { name: row.name } });
        return { data: row };
      }),
    updateTag: ({ params, body: { name, entity_ids: entityIds, user_ids: userIds }, ...by }) =>
      db.tx(async (tx) => {
        const { actor } = by;
        const entity = await entityOf(tx, actor, params.slug);
        // A tag from above marks what lies below too; only its name belongs to those who made it.
        const before = await one(tagRows(tx, actor, entity, byId(params.id)), name !== undefined);
        if (name !== undefined) {
          if (!can(actor.user, 'tag.manage'))
            throw new ProductError('forbidden', { fields: { name: ['You do not have permission to change this.'] } });
          await free(tx.run(sql`update tags set name = ${name} where id = ${params.id}`));
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
            sql`delete from tag_entities x using entities e where x.tag_id = ${params.id} and e.id = x.entity_id and e.id <> all(${entityIds}::uuid[]) and ${visibleEntity(actor)}`,
          );
          await tx.run(sql`insert into tag_entities (tag_id, entity_id) select ${params.id}, unnest(${entityIds}::uuid[]) on conflict do nothing`);
        }
        if (userIds) {
          const seen = await tx.all<{ id: string }>(sql`select u.id from users u where u.id = any(${userIds}::uuid[]) and ${visiblePerson(actor)}`);
          if (seen.length !== new Set(userIds).size) throw invalid('user_ids', 'Choose people that you can see.');
          await tx.run(
            sql`delete from tag_users x using users u where x.tag_id = ${params.id} and u.id = x.user_id and u.id <> all(${userIds}::uuid[]) and ${listedPerson(actor)}`,
          );
          await tx.run(sql`insert into tag_users (tag_id, user_id) select ${params.id}, unnest(${userIds}::uuid[]) on conflict do nothing`);
        }
        const after = await one(tagRows(tx, actor, entity, byId(params.id)), false);
        const told = (t: Tag) => ({ name: t.name, marks: [...t.entities, ...t.people].map((r) => r.name) });
        await note(tx, by, entity.id, 'updated', { kind: 'tag', id: after.id, name: after.name }, { before: told(before), after: told(after) });
        return { data: after };
      }),
    deleteTag: ({ params, ...by }) =>
      db.tx(async (tx) => {
        const entity = await entityOf(tx, by.actor, params.slug);
        const before = await one(tagRows(tx, by.actor, entity, byId(params.id)));
        await tx.run(sql`delete from tags where id = ${params.id}`);
        await note(tx, by, before.entity.id, 'deleted', { kind: 'tag', id: before.id, name: before.name }, { before: { name: before.name } });
      }),

    availableCourses: async ({ params, actor }) => ({ data: await available(actor, params.id, sql`true`) }),
    availableTraining: async ({ params, actor }) => {
      const person = existing(
        await db.one<{ id: string; place: string; type_id: string | null }>(
          sql`select u.id, u.primary_entity_id as place, u.type_id from users u where u.id = ${params.id} and ${visiblePerson(actor)}`,
        ),
      );
      return {
        data: await db.all<AvailableTraining>(sql`select c.id, c.title, json_build_object('id', k.id, 'name', k.title) as course, q.id is not null as required,
            ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at
          from contents c join courses k on k.id = c.course_id left join required_of(${person.id}) q on q.course_id = k.id
          left join lateral (select completed_at, expires_at from results where user_id = ${person.id} and course_id = k.id order by completed_at desc limit 1) r on true
          where c.type = 'face2face' and c.published and c.deleted_at is null and k.published and ${mayTake(entityAndAbove(person.place), person)} order by c.title, c.id limit 1000`),
      };
    },
    personalDevelopmentCourses: async ({ params, actor }) => ({ data: await available(actor, params.id, sql`q.id is null`) }),
  };
};

import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import { dayIn } from '#contract/rules/days.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { Id } from '#contract/entities/fields.ts';
import {
  type AllocationKind,
  allocationNeeds,
  type Pathway,
  type PathwayAllocation,
  PathwayAllocationInput,
  PathwayInput,
  type PathwayPerson,
  type PathwayProgress,
  seesPathways,
} from '#contract/entities/pathway.ts';
import { sorts, sortsOf } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import { stepOf } from '#contract/rules/pathway-steps.ts';
import { type Db, instant, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { hasCourse, listedPerson, visibleEntity } from '#server/db/seen.ts';
import { contains, countOf, existing, orderBy } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Paged } from '#server/graphql/builder.ts';
import { read } from '#server/validation.ts';
import { stepsDone } from '#server/features/pathways/steps.rows.ts';
import { packedStandingsOf } from '#server/features/results/standings.rows.ts';
import type { Services } from '#server/services.ts';

/** Standings of this many people are read at once. */
const peopleAtOnce = 1000;
type Ref = { id: string; name: string };
type At = { first: number; page: number };

/** Whether the organisation of a pathway still has the course of its step `s`. A step of a removed course is kept, and asked of nobody. */
const isTaken = (entity: Statement): Statement => sql`exists (select 1 from courses k where k.id = s.course_id and ${hasCourse(entity)})`;

/** Pathways: courses that people take in order. */
export const pathwaysOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  /** Somebody's own pathways, and, for managers, those of their organisations and from above. */
  const seen = (actor: Actor): Statement => {
    if (actor.seesAll) return sql`true`;
    const ownPathways = sql`p.id in (select w.pathway_id from pathways_of(${actor.user.uuid}) w)`;
    return can(actor.user, seesPathways)
      ? sql`(${ownPathways} or ${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`
      : ownPathways;
  };
  const columns = (actor: Actor) => sql`p.id, p.name, p.description, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity,
    ${visibleEntity(actor)} and ${can(actor.user, 'course.update')} as editable, ${visibleEntity(actor)} and ${can(actor.user, allocationNeeds.role)} as for_roles,
    (select coalesce(json_agg(json_build_object('course_id', s.course_id, 'course_title', c.title, 'within_days', s.within_days) order by s.place), '[]')
      from pathway_steps s join course_titles c on c.id = s.course_id where s.pathway_id = p.id and ${isTaken(sql`p.entity_id`)}) as steps`;
  const from = sql`pathways p join entity_names e on e.id = p.entity_id`;
  const one = async (on: Db, actor: Actor, id: string): Promise<Pathway> =>
    existing(
      Id.safeParse(id).success ? await on.one<Pathway>(sql`select ${columns(actor)} from ${from} where p.id = ${id} and ${seen(actor)}`) : undefined,
    );
  const editablePathway = async (tx: Db, actor: Actor, id: string): Promise<Pathway> => {
    const pathway = await one(tx, actor, id);
    if (!pathway.editable)
      throw new ProductError('forbidden', { message: `${pathway.entity.name} created this pathway, and only they can change it.` });
    return pathway;
  };

  const list = async (
    actor: Actor,
    at: At,
    { search, mine: own, role, entity, sort }: { search?: string; mine?: boolean; role?: string; entity?: string; sort?: string },
  ): Promise<Paged<Pathway>> => {
    const which = [
      seen(actor),
      contains([sql`p.name`, sql`p.description`], search),
      own ? sql`p.id in (select w.pathway_id from pathways_of(${actor.user.uuid}) w)` : sql`true`,
      role && Id.safeParse(role).success ? sql`p.id in (select a.pathway_id from pathway_allocations a where a.role_id = ${role})` : sql`true`,
      entity ? sql`p.entity_id in (select b.above from entity_below b join entity_names n on n.id = b.below where n.slug = ${entity})` : sql`true`,
    ].reduce((a, b) => sql`${a} and ${b}`);
    const total = await countOf(db, sql`${from} where ${which}`);
    const order = orderBy(
      sortsOf(sorts.pathways).find((s) => s === sort) ?? 'name',
      { name: sql`lower(p.name)`, from: sql`lower(e.name)` },
      sql`p.id`,
    );
    const data = await db.all<Pathway>(
      sql`select ${columns(actor)} from ${from} where ${which} order by ${order} limit ${at.first} offset ${(at.page - 1) * at.first}`,
    );
    return { data, total, ...at };
  };

  /** The people on a pathway whom the caller sees. */
  const walkersFrom = (actor: Actor, pathwayId: string, only: Statement): Statement =>
    sql`people_on(${pathwayId}) w join users u on u.id = w.user_id join entity_names h on h.id = u.primary_entity_id where u.disabled_at is null and ${listedPerson(actor)} and ${only}`;
  type Row = Omit<PathwayPerson, 'steps'> & { zone: string; done: Record<string, string | null> };
  const walkers = async (actor: Actor, pathway: Pathway, only: Statement, at: At): Promise<PathwayPerson[]> => {
    const rows = await db.all<Row>(sql`select u.id as user_id, u.name, h.name as place, h.time_zone as zone, w.since,
        (select a.id from pathway_allocations a where a.pathway_id = ${pathway.id} and a.user_id = u.id) as allocation_id,
        (select json_object_agg(s.course_id, ${instant(sql`step_done_at(u.id, s.course_id, w.since)`)}) from pathway_steps s where s.pathway_id = ${pathway.id}) as done
      from ${walkersFrom(actor, pathway.id, only)} order by u.name, u.id limit ${at.first} offset ${(at.page - 1) * at.first}`);
    return rows.map(({ done, zone, ...row }) => ({
      ...row,
      steps: pathway.steps.map((step) => {
        const done_at = done[step.course_id] ?? null;
        return { ...step, done_at, ...stepOf({ since: row.since, within_days: step.within_days, done_at }, now(), zone) };
      }),
    }));
  };
  const people = async (actor: Actor, pathway: Pathway, at: At, search?: string): Promise<Paged<PathwayPerson>> => {
    const only = contains([sql`u.name`], search);
    const total = await countOf(db, sql`${walkersFrom(actor, pathway.id, only)}`);
    return { data: await walkers(actor, pathway, only, at), total, ...at };
  };
  /** The combined progress of all people on it whom the caller sees. */
  const progress = async (actor: Actor, pathwayId: string): Promise<PathwayProgress> => {
    const courses = await db.all<{ course_id: string; course_no: number }>(
      sql`select s.course_id, c.no as course_no from pathway_steps s join course_titles c on c.id = s.course_id join pathways p on p.id = s.pathway_id
        where s.pathway_id = ${pathwayId} and ${isTaken(sql`p.entity_id`)}`,
    );
    const on = await db.all<{ user_id: string; since: string; since_seconds: number }>(
      sql`select u.id as user_id, w.since::text as since, extract(epoch from w.since::timestamp at time zone h.time_zone)::float8 as since_seconds
        from ${walkersFrom(actor, pathwayId, sql`true`)} order by u.id`,
    );
    const sums = { people: on.length, finished: 0, done: 0, steps: on.length * courses.length };
    for (let at = 0; at < on.length; at += peopleAtOnce) {
      const people = on.slice(at, at + peopleAtOnce);
      const standings = await packedStandingsOf(
        db,
        people.map((p) => p.user_id),
      );
      const done = await stepsDone(
        db,
        people.flatMap((p) => courses.map((c) => ({ ...p, ...c }))),
        standings,
      );
      for (const index of people.keys()) {
        const doneCount = done.slice(index * courses.length, (index + 1) * courses.length).filter(Boolean).length;
        sums.done += doneCount;
        sums.finished += courses.length > 0 && doneCount === courses.length ? 1 : 0;
      }
    }
    return sums;
  };
  /** The caller's own progress on it; null if they are not on it. */
  const ownStanding = async (actor: Actor, pathway: Pathway): Promise<PathwayPerson | null> =>
    (await walkers(actor, pathway, sql`u.id = ${actor.user.uuid}`, { first: 1, page: 1 }))[0] ?? null;

  const allocations = (actor: Actor, pathwayId: string): Promise<PathwayAllocation[]> =>
    can(actor.user, seesPathways)
      ? db.all<PathwayAllocation>(sql`select a.id, a.allocated_on,
          case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as user, case when r.id is not null then json_build_object('id', r.id, 'name', r.name) end as role
        from pathway_allocations a left join users u on u.id = a.user_id and ${listedPerson(actor)} left join roles r on r.id = a.role_id
        where a.pathway_id = ${pathwayId} and (u.id is not null or r.id is not null) order by r.name, u.name, a.id`)
      : Promise.resolve([]);

  const auditFields = ({ name, description, steps }: Pathway) => ({
    name,
    description,
    steps: steps.map((s) => (s.within_days === null ? s.course_title : `${s.course_title}, within ${s.within_days} days`)),
  });
  const subject = ({ id, name }: Ref) => ({ kind: 'pathway', id, name }) as const;

  const upsert = (by: By, unchecked: unknown): Promise<Pathway> => {
    const input = read(PathwayInput, unchecked) as z.output<typeof PathwayInput>;
    return db.tx(async (tx) => {
      if (!can(by.actor.user, 'course.update')) throw new ProductError('forbidden');
      const before = input.id ? await editablePathway(tx, by.actor, input.id) : null;
      const entity = existing(
        before?.entity ??
          (await tx.one<EntityRef>(
            sql`select e.id, e.name, e.slug from entities e where ${input.entity ? sql`e.slug = ${input.entity}` : sql`e.id = ${by.actor.place.id}`} and ${visibleEntity(by.actor)}`,
          )),
      );
      const previousCourses = new Set(before?.steps.map((s) => s.course_id));
      const added = input.steps.flatMap((s) => (previousCourses.has(s.course_id) ? [] : [s.course_id]));
      const availableCourses = await tx.all<{
        id: string;
      }>(sql`select k.id from courses k where k.id = any(${added}::uuid[]) and ${hasCourse(entity.id)}`);
      if (availableCourses.length < added.length) throw invalid('steps', `Choose courses that ${entity.name} has.`);
      const id = before?.id ?? randomUUID();
      const { name, description } = input;
      await tx
        .run(
          before
            ? sql`update pathways set name = ${name}, description = ${description}, updated_at = ${now()} where id = ${id}`
            : sql`insert into pathways (id, entity_id, name, description, created_at, updated_at) values (${id}, ${entity.id}, ${name}, ${description}, ${now()}, ${now()})`,
        )
        .catch((error: unknown) => {
          throw sqlState(error) === '23505' ? invalid('name', 'There is a pathway of this name already.') : error;
        });
      const places = new Set(input.steps.map((s) => s.course_id));
      const hidden = (
        await tx.all<{ course_id: string; within_days: number | null }>(sql`delete from pathway_steps s where s.pathway_id = ${id}
          returning s.course_id, s.within_days`)
      ).filter((s) => !before?.steps.some((b) => b.course_id === s.course_id) && !places.has(s.course_id));
      const rows = [...input.steps, ...hidden].map((s, place) => ({ place, course_id: s.course_id, within_days: s.within_days ?? null }));
      await tx.run(sql`insert into pathway_steps (pathway_id, place, course_id, within_days)
        select ${id}, n.place, n.course_id, n.within_days from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (place int, course_id uuid, within_days int)`);
      const after = await one(tx, by.actor, id);
      const change = {
        entityId: entity.id,
        action: before ? ('updated' as const) : ('created' as const),
        subject: subject(after),
        after: auditFields(after),
      };
      await noteChange(tx, by, now(), before ? { ...change, before: auditFields(before) } : change);
      return after;
    });
  };

  const remove = (by: By, id: string): Promise<string> =>
    db.tx(async (tx) => {
      if (!can(by.actor.user, 'course.update')) throw new ProductError('forbidden');
      const before = await editablePathway(tx, by.actor, id);
      await tx.run(sql`delete from pathways where id = ${id}`);
      await noteChange(tx, by, now(), { entityId: before.entity.id, action: 'deleted', subject: subject(before), before: auditFields(before) });
      return id;
    });

  /** Those of `ids` that the caller may add to this pathway or remove: people who work where it belongs, or job roles in use there. */
  const receivers = async (
    tx: Db,
    { actor }: By,
    pathway: Pathway,
    kind: AllocationKind,
    ids: readonly string[],
    giving: boolean,
  ): Promise<Ref[]> => {
    const below = sql`exists (select 1 from entity_below b where b.above = ${pathway.entity.id} and b.below = u.primary_entity_id)`;
    const found = await tx.all<Ref>(
      kind === 'user'
        ? sql`select u.id, u.name from users u where u.id = any(${[...ids]}::uuid[]) and ${listedPerson(actor)} and ${below}
            and ${giving ? sql`u.disabled_at is null` : sql`true`} order by u.name`
        : sql`select r.id, r.name from roles r where r.id = any(${[...ids]}::uuid[]) and r.entity_id in (
            select entity_and_above(${pathway.entity.id}) union select below from entity_below where above = ${pathway.entity.id}) order by r.name`,
    );
    if (found.length < new Set(ids).size)
      throw invalid(
        'allocation_ids',
        kind === 'user' ? `Choose people of ${pathway.entity.name}.` : `Choose job roles that ${pathway.entity.name} uses.`,
      );
    return found;
  };
  const allocate = (by: By, sent: unknown): Promise<Pathway> => {
    const { pathway_id, kind, allocation_ids, allocated } = read(PathwayAllocationInput, sent) as z.output<typeof PathwayAllocationInput>;
    return db.tx(async (tx) => {
      if (!can(by.actor.user, allocationNeeds[kind])) throw new ProductError('forbidden');
      const pathway = await one(tx, by.actor, pathway_id);
      if (kind === 'role' && !pathway.for_roles)
        throw new ProductError('forbidden', { message: `${pathway.entity.name} created this pathway, and only they can give it to a job role.` });
      const receiving = await receivers(tx, by, pathway, kind, allocation_ids, allocated);
      const column = kind === 'user' ? sql`user_id` : sql`role_id`;
      const ids = receiving.map((t) => t.id);
      const changed = await tx.all<{ id: string }>(
        allocated
          ? sql`insert into pathway_allocations (id, pathway_id, ${column}, allocated_on, allocated_by)
              select gen_random_uuid(), ${pathway.id}, x, ${dayIn(now(), by.actor.user.time_zone)}, ${by.actor.user.uuid} from unnest(${ids}::uuid[]) x on conflict do nothing returning ${column} as id`
          : sql`delete from pathway_allocations where pathway_id = ${pathway.id} and ${column} = any(${ids}::uuid[]) returning ${column} as id`,
      );
      const names = receiving.filter((t) => changed.some((c) => c.id === t.id)).map((t) => t.name);
      const recipients = { [kind === 'user' ? 'people' : 'job_roles']: names };
      // A pathway from above has its audit entry where the people are.
      const entityId = by.actor.seesAll || by.actor.entityIds.includes(pathway.entity.id) ? pathway.entity.id : by.actor.place.id;
      const note = { entityId, subject: subject(pathway) };
      if (names.length > 0)
        await noteChange(
          tx,
          by,
          now(),
          allocated ? { ...note, action: 'granted', after: recipients } : { ...note, action: 'revoked', before: recipients },
        );
      return pathway;
    });
  };

  return { list, one: (actor: Actor, id: string) => one(db, actor, id), people, progress, own: ownStanding, allocations, upsert, remove, allocate };
};

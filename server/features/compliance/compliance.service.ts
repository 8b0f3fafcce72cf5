import { randomUUID } from 'node:crypto';
import type { createCompliance, previewCompliance, updateCompliance } from '#contract/api/compliance.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import {
  type Compliance,
  type complianceFields,
  type PersonCompliance,
  type RuleEffect,
  type RoleCourse,
  type TeamMember,
  teamLimit,
} from '#contract/entities/compliance.ts';
import { type ComplianceFacts, complianceColourOf, complianceOf } from '#contract/rules/compliance-status.ts';
import { countOf, existing, insertRow, updateRows } from '#server/db/rows.ts';
import { listedPerson, personAt, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.rows.ts';
import type { Actor } from '#server/actor.ts';
import { redateResults } from '#server/features/results/results.service.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const rule = sql`json_build_object('id', k.id, 'role_id', k.role_id, 'course_id', k.course_id, 'entity', json_build_object('id', e.id, 'name', e.name, 'slug', e.slug),
  'role', json_build_object('id', r.id, 'name', r.name), 'type', k.type, 'renewal_months', k.renewal_months, 'expiry_warning', k.expiry_warning_days, 'starter_period', k.starter_period_days,
  'renewal_kind', k.renewal_kind, 'renewal_window', k.renewal_window, 'renewal_on', k.renewal_on)`;
type Fields = { [F in keyof typeof complianceFields]?: Compliance[F] | undefined };

const datesBy = ['renewal_months', 'renewal_kind', 'renewal_window', 'renewal_on'] as const;

/** What of somebody's courses they have to do. */
const mustOf = (events: readonly LearnerEvent[]): PersonCompliance[] =>
  events.flatMap(({ course_id, course_title, compliance_type: type, compliance, due_at, completed_at, expires_at, reason }) =>
    type === null ? [] : [{ course_id, course_title, type, status: compliance, due_at, completed_at, expires_at, reason }],
  );

/** What job roles have to do, and how people stand with it. */
export const complianceRulesOf = ({ db, now, peopleTotals }: Pick<Services, 'db' | 'now' | 'peopleTotals'>) => {
  /** A role is used where it belongs and below; who can see any such place can read what it asks. */
  const usedBy = (actor: Actor): Statement =>
    actor.seesAll ? sql`true` : sql`(${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`;
  /** The courses that the role's organisation has, and what the role asks of each. */
  const courses = (on: Db, actor: Actor, roleId: string, of: Statement): Promise<RoleCourse[]> =>
    on.all<RoleCourse>(sql`select c.id, c.title, case when k.id is not null then ${rule} end as compliance,
        json_build_object('renewal_months', c.renewal_months, 'expiry_warning', e.expiry_warning_days, 'starter_period', e.starter_period_days,
          'renewal_kind', c.renewal_kind, 'renewal_window', c.renewal_window, 'renewal_on', c.renewal_on) as defaults
      from roles r join entities e on e.id = r.entity_id
      join courses c on c.entity_id = e.id or exists (select 1 from entity_courses ec where ec.course_id = c.id and ec.entity_id in (select entity_and_above(e.id)))
      left join compliance k on k.role_id = r.id and k.course_id = c.id
      where r.id = ${roleId} and ${usedBy(actor)} and ${of} order by c.title, c.id`);
  const found = async (on: Db, id: string, where: Statement): Promise<Compliance> => {
    const row = existing(
      await on.one<{ rule: Compliance }>(
        sql`select ${rule} as rule from compliance k join roles r on r.id = k.role_id join entities e on e.id = r.entity_id where k.id = ${id} and ${where}`,
      ),
    );
    return row.rule;
  };
  const titleOf = async (on: Db, courseId: string) =>
    (await on.one<{ title: string }>(sql`select title from courses where id = ${courseId}`))?.title ?? '';
  const write = (tx: Db, id: string, { expiry_warning: expiry_warning_days, starter_period: starter_period_days, ...fields }: Fields) =>
    updateRows(tx, 'compliance', { ...fields, expiry_warning_days, starter_period_days }, sql`id = ${id}`);
  const told = ({ type, renewal_months, expiry_warning, starter_period, renewal_kind, renewal_window, renewal_on }: Compliance) => ({
    ...{ type, renewal_months, expiry_warning, starter_period, renewal_kind, renewal_window, renewal_on },
  });
  /** The results (`r`) for a course of everybody who holds a job role. */
  const heldBy = (roleId: string, courseId: string): Statement =>
    sql`r.user_id in (select h.user_id from held_roles h where h.role_id = ${roleId}) and r.course_id = ${courseId}`;
  const subject = async (tx: Db, is: Compliance) =>
    ({ kind: 'compliance', id: is.id, name: `${await titleOf(tx, is.course_id)} for ${is.role.name}` }) as const;

  /** How everybody who holds a job role stands with a course, whom the actor sees and who has not left. */
  const coloursOf = async (tx: Db, actor: Actor, roleId: string, courseId: string) => {
    type Facts = Omit<ComplianceFacts, 'result'> & { id: string; completed_at: string | null; expires_at: string | null };
    const rows =
      await tx.all<Facts>(sql`select u.id, u.started_on, e.time_zone as zone, q.id is not null as required, coalesce(q.starter_period_days, e.starter_period_days) as starter_period,
        coalesce(q.expiry_warning_days, e.expiry_warning_days) as expiry_warning, r.completed_at, r.expires_at
      from users u join entities e on e.id = u.primary_entity_id
      left join lateral (select * from required_of(u.id) k where k.course_id = ${courseId}) q on true
      left join lateral (select x.completed_at, x.expires_at from current_results x where x.user_id = u.id and x.course_id = ${courseId}
        order by x.completed_at desc, x.created_at desc, x.id desc limit 1) r on true
      where u.id in (select h.user_id from held_roles h where h.role_id = ${roleId}) and u.disabled_at is null and ${visiblePerson(actor)}`);
    return new Map(
      rows.map(({ id, completed_at, expires_at, ...facts }) => {
        const result = completed_at === null ? null : { completed_at, expires_at };
        return [id, complianceColourOf[complianceOf({ ...facts, result }, now()).status]] as const;
      }),
    );
  };

  return {
    /** Makes the change, looks what became of people, and takes it back. */
    preview: async (by: By, { role_id, course_id, rule: wanted }: BodyOf<typeof previewCompliance>): Promise<RuleEffect> => {
      const { actor } = by;
      const taken = new Error('taken back');
      const turns = { green: 0, amber: 0, red: 0, none: 0 };
      let people = 0;
      await db
        .tx(async (tx) => {
          existing(
            await tx.one(sql`select 1 as one from roles r join entities e on e.id = r.entity_id where r.id = ${role_id} and ${visibleEntity(actor)}`),
          );
          existing((await courses(tx, actor, role_id, sql`c.id = ${course_id}`)).length > 0);
          const before = await coloursOf(tx, actor, role_id, course_id);
          if (wanted === null) await tx.run(sql`delete from compliance where role_id = ${role_id} and course_id = ${course_id}`);
          else {
            const { update_previous_results: previous, ...fields } = wanted;
            const { id } = (await tx.one<{
              id: string;
            }>(sql`insert into compliance (id, role_id, course_id, type) values (${randomUUID()}, ${role_id}, ${course_id}, ${fields.type})
              on conflict (role_id, course_id) do update set type = excluded.type returning id`)) as { id: string };
            await write(tx, id, fields);
            if (previous) await redateResults(tx, heldBy(role_id, course_id), { by: null, reason: '' }, now());
          }
          for (const [id, colour] of await coloursOf(tx, actor, role_id, course_id)) {
            people++;
            if (before.get(id) !== colour) turns[colour]++;
          }
          throw taken;
        })
        .catch((error: unknown) => {
          if (error !== taken) throw error;
        });
      return { people, turns };
    },
    coursesOf: async (actor: Actor, slug: string, roleId: string): Promise<RoleCourse[]> => {
      existing(
        await db.one<{ id: string }>(
          sql`select e.id from entities e join roles r on r.id = ${roleId} and r.entity_id in (select entity_and_above(e.id)) where e.slug = ${slug} and ${visibleEntity(actor)}`,
        ),
      );
      return courses(db, actor, roleId, sql`true`);
    },
    courseOf: async (actor: Actor, roleId: string, courseId: string): Promise<RoleCourse> =>
      existing((await courses(db, actor, roleId, sql`c.id = ${courseId}`))[0]),
    get: (actor: Actor, id: string) => found(db, id, usedBy(actor)),
    create: (by: By, { role_id, course_id, ...fields }: BodyOf<typeof createCompliance>): Promise<Compliance> =>
      db.tx(async (tx) => {
        const { actor } = by;
        existing(
          await tx.one(sql`select 1 as one from roles r join entities e on e.id = r.entity_id where r.id = ${role_id} and ${visibleEntity(actor)}`),
        );
        if ((await courses(tx, actor, role_id, sql`c.id = ${course_id}`)).length === 0)
          throw invalid('course_id', 'Choose a course of the organisation.');
        const id = randomUUID();
        await tx.run(insertRow('compliance', { id, role_id, course_id, type: fields.type })).catch((error: unknown) => {
          throw sqlState(error) === '23505' ? invalid('course_id', 'This job role has to do this course already.') : error;
        });
        await write(tx, id, fields);
        const made = await found(tx, id, visibleEntity(actor));
        await noteChange(tx, by, now(), { entityId: made.entity.id, action: 'created', subject: await subject(tx, made), after: told(made) });
        return made;
      }),
    /** `existing`: so many results would be dated anew, and nothing was said of them. */
    update: (by: By, id: string, { update_previous_results: previous, ...fields }: BodyOf<typeof updateCompliance>) =>
      db.tx(async (tx) => {
        const { actor } = by;
        const before = await found(tx, id, visibleEntity(actor));
        const mayDateAgain = can(actor.user, 'record.completed_courses');
        if (previous && !mayDateAgain)
          throw new ProductError('forbidden', { fields: { update_previous_results: ['You do not have permission to change completed courses.'] } });
        await write(tx, before.id, fields);
        const after = await found(tx, before.id, visibleEntity(actor));
        const theirs = heldBy(after.role_id, after.course_id);
        const held = await countOf(tx, sql`current_results r where r.expiry = 'rule' and ${theirs}`);
        const reason = `The rule of the job role “${after.role.name}” changed.`;
        const dated = previous ? await redateResults(tx, theirs, { by: actor.user.uuid, reason }, now()) : 0;
        await noteChange(tx, by, now(), {
          ...{ entityId: after.entity.id, action: 'updated', subject: await subject(tx, after), before: told(before) },
          after: { ...told(after), ...(previous ? { results_dated_anew: dated } : {}) },
        });
        const asks = mayDateAgain && previous === undefined && datesBy.some((field) => before[field] !== after[field]) && held > 0;
        return { rule: after, existing: asks ? held : 0 };
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const before = await found(tx, id, visibleEntity(by.actor));
        await noteChange(tx, by, now(), { entityId: before.entity.id, action: 'deleted', subject: await subject(tx, before), before: told(before) });
        await tx.run(sql`delete from compliance where id = ${before.id}`);
      }),
    ofPerson: async (actor: Actor, id: string): Promise<PersonCompliance[]> => {
      await personAt(db, actor, id);
      return mustOf(await eventsOf(db, [id], now()));
    },
    team: async (actor: Actor) => {
      const where = sql`${listedPerson(actor)} and u.disabled_at is null`;
      const people = await db.all<
        Omit<TeamMember, 'must'>
      >(sql`select u.id, u.name, e.name as place, (select r.name from roles r where r.id = u.role_id) as role
        from users u join entities e on e.id = u.primary_entity_id where ${where} order by u.name, u.id limit ${teamLimit}`);
      const total =
        people.length < teamLimit ? people.length : await peopleTotals.count(db, sql`select count(*)::int as n from users u where ${where}`);
      const ids = people.map((p) => p.id);
      const events = Map.groupBy(await eventsOf(db, ids, now()), (e) => e.user_id);
      return { data: people.map((p) => ({ ...p, must: mustOf(events.get(p.id) ?? []) })), meta: { total } };
    },
  };
};

import { dayIn } from '#contract/rules/days.ts';
import { randomUUID } from 'node:crypto';
import type { createCompliance, previewCompliance, updateCompliance } from '#contract/api/compliance.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import {
  type Compliance,
  type complianceFields,
  type PersonCompliance,
  type PersonEvent,
  type RuleEffect,
  type RoleCourse,
  type TeamMember,
  teamLimit,
} from '#contract/entities/compliance.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { listedPerson, personAt, visibleEntity } from '#server/db/seen.ts';
import { type Db, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.rows.ts';
import type { Actor } from '#server/actor.ts';
import { requiredOfEach } from '#server/features/compliance/required-of-each.rows.ts';
import { effectOf } from '#server/features/compliance/rule-effect.rows.ts';
import { datedByRule, redate } from '#server/features/results/redating.service.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const rule = sql`json_build_object('id', k.id, 'role_id', k.role_id, 'course_id', k.course_id, 'entity', json_build_object('id', e.id, 'name', e.name, 'slug', e.slug),
  'role', json_build_object('id', r.id, 'name', r.name), 'type', k.type, 'renewal_months', k.renewal_months, 'expiry_warning', k.expiry_warning_days, 'starter_period', k.starter_period_days,
  'renewal_kind', k.renewal_kind, 'renewal_window', k.renewal_window, 'renewal_on', k.renewal_on,
  'required_from', k.required_from, 'required_until', k.required_until)`;
type Fields = { [F in keyof typeof complianceFields]?: Compliance[F] | undefined };

const datesBy = ['renewal_months', 'renewal_kind', 'renewal_window', 'renewal_on'] as const;

/** Which of somebody's courses are required of them. */
const mustOf = (events: readonly LearnerEvent[]): PersonCompliance[] =>
  events.flatMap(({ course_id, course_title, compliance_type: type, compliance, compliance_due_at: due_at, completed_at, expires_at, reason }) =>
    type === null ? [] : [{ course_id, course_title, type, status: compliance, due_at, completed_at, expires_at, reason }],
  );

/** What job roles require, and how people comply with it. */
export const complianceRulesOf = ({ db, now, peopleTotals, jobs }: Pick<Services, 'db' | 'now' | 'peopleTotals' | 'jobs'>) => {
  /** A role is used where it belongs and below; anyone who sees such an organisation may read its requirements. */
  const usedBy = (actor: Actor): Statement =>
    actor.seesAll ? sql`true` : sql`(${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`;
  /** The courses of the role's organisation, and those it no longer has that the role asks for, with what the role requires of each. */
  const courses = (on: Db, actor: Actor, roleId: string, condition: Statement): Promise<RoleCourse[]> =>
    on.all<RoleCourse>(sql`select c.id, c.title, role_has_course(r.id, c.id) as available, case when k.id is not null then ${rule} end as compliance,
        json_build_object('renewal_months', c.renewal_months, 'expiry_warning', e.expiry_warning_days, 'starter_period', e.starter_period_days,
          'renewal_kind', c.renewal_kind, 'renewal_window', c.renewal_window, 'renewal_on', c.renewal_on) as defaults
      from roles r join entities e on e.id = r.entity_id
      join courses c on c.entity_id = e.id or exists (select 1 from entity_courses ec where ec.course_id = c.id and ec.entity_id in (select entity_and_above(e.id)))
        or exists (select 1 from compliance x where x.role_id = r.id and x.course_id = c.id)
      left join compliance k on k.role_id = r.id and k.course_id = c.id
      where r.id = ${roleId} and ${usedBy(actor)} and ${condition} order by c.title, c.id`);
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
  const columnsOf = ({ expiry_warning: expiry_warning_days, starter_period: starter_period_days, ...fields }: Fields) => ({
    ...{ ...fields, expiry_warning_days, starter_period_days },
  });
  const todayOf = async (on: Db, roleId: string): Promise<string> => {
    const { zone } = existing(
      await on.one<{ zone: string }>(sql`select e.time_zone as zone from roles r join entity_names e on e.id = r.entity_id where r.id = ${roleId}`),
    );
    return dayIn(now(), zone);
  };
  const write = (tx: Db, id: string, fields: Fields) => updateRows(tx, 'compliance', columnsOf(fields), sql`id = ${id}`);
  const auditFields = ({ id: _id, role_id: _role, course_id: _course, entity: _entity, role: _name, ...fields }: Compliance) => fields;
  const subject = async (tx: Db, is: Compliance) =>
    ({ kind: 'compliance', id: is.id, name: `${await titleOf(tx, is.course_id)} for ${is.role.name}` }) as const;

  return {
    /** Compares how everybody with the job role complies now with how they would. Computed from the facts: nothing is locked or written. */
    preview: async ({ actor }: By, { role_id, course_id, rule: wanted }: BodyOf<typeof previewCompliance>): Promise<RuleEffect> => {
      existing(
        await db.one(sql`select 1 as one from roles r join entities e on e.id = r.entity_id where r.id = ${role_id} and ${visibleEntity(actor)}`),
      );
      existing((await courses(db, actor, role_id, sql`c.id = ${course_id}`)).length > 0);
      const { update_previous_results: previous = false, ...fields } = wanted ?? {};
      const rules = sql`select k as rule from compliance k where k.course_id = ${course_id} and k.role_id <> ${role_id} and k.given`;
      const known = await db.one<{ since: string | null }>(
        sql`select required_since::text as since from compliance where role_id = ${role_id} and course_id = ${course_id}`,
      );
      const required_since = known ? known.since : await todayOf(db, role_id);
      const would = wanted && { ...columnsOf(fields), id: randomUUID(), role_id, course_id, required_since };
      return effectOf(db, actor, now(), {
        ...{ courseId: course_id, people: sql`u.id in (select h.user_id from held_roles h where h.role_id = ${role_id})`, redates: previous },
        rules: would ? sql`${rules} union all select jsonb_populate_record(null::compliance, ${JSON.stringify(would)}::jsonb)` : rules,
      });
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
        if (!(await courses(tx, actor, role_id, sql`c.id = ${course_id}`))[0]?.available)
          throw invalid('course_id', 'Choose a course of the organisation.');
        const id = randomUUID();
        await tx
          .run(insertRow('compliance', { id, role_id, course_id, type: fields.type, required_since: await todayOf(tx, role_id) }))
          .catch((error: unknown) => {
            throw sqlState(error) === '23505' ? invalid('course_id', 'This job role has to do this course already.') : error;
          });
        await write(tx, id, fields);
        const made = await found(tx, id, visibleEntity(actor));
        await noteChange(tx, by, now(), { entityId: made.entity.id, action: 'created', subject: await subject(tx, made), after: auditFields(made) });
        return made;
      }),
    /** `existing`: this many results would be redated, and the request did not say whether to. `waiting`: this many are redated in the background. */
    update: async (by: By, id: string, { update_previous_results: previous, ...fields }: BodyOf<typeof updateCompliance>) => {
      const changed = await db.tx(async (tx) => {
        const { actor } = by;
        const before = await found(tx, id, visibleEntity(actor));
        const mayDateAgain = can(actor.user, 'record.completed_courses');
        if (previous && !mayDateAgain)
          throw new ProductError('forbidden', { fields: { update_previous_results: ['You do not have permission to change completed courses.'] } });
        const { required_from: from = before.required_from, required_until: until = before.required_until } = fields;
        if (from && until && until < from) throw invalid('required_until', 'Choose a day that is not before the first.');
        await write(tx, before.id, fields);
        const after = await found(tx, before.id, visibleEntity(actor));
        const about = await subject(tx, after);
        const which = { role_id: after.role_id, course_id: after.course_id, entity_id: after.entity.id };
        const held = await datedByRule(tx, which);
        const reason = `The rule of the job role “${after.role.name}” changed.`;
        const job = { ...which, subject: about.name, reason, by: actor.user.uuid };
        const dated = previous ? await redate(tx, { jobs, now }, job) : { changed: 0, waiting: 0 };
        await noteChange(tx, by, now(), {
          ...{ entityId: after.entity.id, action: 'updated', subject: about, before: auditFields(before) },
          after: { ...auditFields(after), ...(previous ? { results_dated_anew: dated.waiting || dated.changed } : {}) },
        });
        const asks = mayDateAgain && previous === undefined && datesBy.some((field) => before[field] !== after[field]) && held > 0;
        return { rule: after, existing: asks ? held : 0, waiting: dated.waiting };
      });
      if (changed.waiting > 0) jobs.wake();
      return changed;
    },
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const before = await found(tx, id, visibleEntity(by.actor));
        await noteChange(tx, by, now(), {
          entityId: before.entity.id,
          action: 'deleted',
          subject: await subject(tx, before),
          before: auditFields(before),
        });
        await tx.run(sql`delete from compliance where id = ${before.id}`);
      }),
    ofPerson: async (actor: Actor, id: string): Promise<PersonCompliance[]> => {
      await personAt(db, actor, id);
      return mustOf(await eventsOf(db, [id], now()));
    },
    eventsOfPerson: async (actor: Actor, id: string): Promise<PersonEvent[]> => {
      await personAt(db, actor, id);
      return (await eventsOf(db, [id], now())).map(({ course_id, course_title, status, due_at, pathway, reason }) => ({
        ...{ course_id, course_title, status, due_at, pathway, reason },
      }));
    },
    team: async (actor: Actor) => {
      const where = sql`${listedPerson(actor)} and u.disabled_at is null`;
      const people = await db.all<
        Omit<TeamMember, 'must'>
      >(sql`select u.id, u.name, e.name as place, (select r.name from roles r where r.id = u.role_id) as role
        from users u join entities e on e.id = u.primary_entity_id where ${where} order by u.name, u.id limit ${teamLimit}`);
      const total =
        people.length < teamLimit ? people.length : await peopleTotals.count(db, sql`select count(*)::int as n from users u where ${where}`);
      const must = await requiredOfEach(
        db,
        people.map((p) => p.id),
        now(),
      );
      const data: TeamMember[] = people.map((p) => ({ ...p, must: must.get(p.id) ?? [] }));
      return { data, meta: { total } };
    },
  };
};

import { bestFirst } from '#server/features/results/results.rows.ts';
import type { CourseStanding } from '#contract/entities/compliance.ts';
import type { Counting } from '#contract/rules/counting-result.ts';
import { addDays, dayIn, isOver } from '#contract/rules/days.ts';
import { stepOf } from '#contract/rules/pathway-steps.ts';
import type { Actor } from '#server/actor.ts';
import { bookableBy, inOneTree } from '#server/features/bookings/bookings.rows.ts';
import { existing } from '#server/db/rows.ts';
import { entityAndAbove, hasCourseHere, personAt } from '#server/db/seen.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { courseLinksOf, standsWith } from '#server/features/compliance/course-links.rows.ts';
import { mayTake } from '#server/features/learning/contents.rows.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { standingsOf } from '#server/features/results/standings.rows.ts';
import { comingSessions, freePlaces } from '#server/features/training-sessions/coming-sessions.rows.ts';
import { visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import type { Services } from '#server/services.ts';

/** How many days ahead sessions are suggested. */
const sessionDays = 180;
const sessionsLookedAt = 50;
type Facts = {
  started_on: string;
  zone: string;
  place: string;
  place_name: string;
  place_slug: string;
  expiry_warning: number;
  starter_period: number;
};
type Course = { id: string; no: number; title: string; renewal_months: number | null };
type Rule = Omit<NonNullable<CourseStanding['rule']>, 'renewal_months' | 'started_on'> & {
  renewal_months: number | null;
  required_since: string | null;
};
type ResultSaid = Omit<NonNullable<CourseStanding['result']>, 'course'> & { course_id: string };

/** Explains somebody's status for a course, and what would put it right. */
export const courseStandingOf = async (
  { db, now }: Pick<Services, 'db' | 'now'>,
  actor: Actor,
  userId: string,
  courseId: string,
): Promise<CourseStanding> => {
  const at = now();
  const person = await personAt(db, actor, userId);
  const facts = existing(
    await db.one<Facts>(sql`select u.started_on::text as started_on, e.time_zone as zone, e.id as place, e.name as place_name, e.slug as place_slug, e.expiry_warning_days as expiry_warning, e.starter_period_days as starter_period
      from users u join entity_names n on n.id = u.primary_entity_id join entities e on e.id = n.id where u.id = ${userId}`),
  );
  const rule = await ruleOf(db, userId, courseId, at);
  const standings = new Map(((await standingsOf(db, [userId])).get(userId) ?? []).map((s) => [s.course_no, s]));
  const walked = await db.all<{
    pathway: CourseStanding['steps'][number]['pathway'];
    since: string;
    within_days: number | null;
    done_at: string | null;
  }>(
    sql`select json_build_object('id', n.id, 'name', n.name) as pathway, w.since::text as since, s.within_days, ${instant(sql`step_done_at(${userId}, s.course_id, w.since)`)} as done_at
      from pathways_of(${userId}) w join pathways n on n.id = w.pathway_id join pathway_steps s on s.pathway_id = n.id and s.course_id = ${courseId} order by lower(n.name), n.id`,
  );
  const course = existing(
    await db.one<Course>(sql`select k.id, c.no, k.title, k.renewal_months from courses k join course_titles c on c.id = k.id
      where k.id = ${courseId} and (${rule !== null || walked.length > 0} or c.no = any(${[...standings.keys()]}::int[]) or ${hasCourseHere(actor)})`),
  );
  const links = (await courseLinksOf(db, [facts.place]))(facts.place);
  const requirement = {
    ...{ required: rule !== null, required_from: rule?.required_from, required_until: rule?.required_until, required_since: rule?.required_since },
    ...{ started_on: facts.started_on, zone: facts.zone },
    expiry_warning: rule?.expiry_warning ?? facts.expiry_warning,
    starter_period: rule?.starter_period ?? facts.starter_period,
  };
  const stands = standsWith(course.no, requirement, links, (no) => standings.get(no), at);
  const event = (await eventsOf(db, [userId], at)).find((e) => e.course_id === courseId);

  const steps = walked.map(({ pathway, since, within_days, done_at }) => ({
    ...{ pathway, since, done_at },
    ...stepOf({ since, within_days, done_at }, at, facts.zone),
  }));

  const parts = stands.asked && links.parts.has(course.no) && !stands.through ? partsIn(links.parts.get(course.no), stands, at, facts.zone) : null;
  const numbers = [...(stands.counting ? [stands.counting.course] : []), ...(parts ?? []).map((p) => p.no)];
  const ids = await db.all<{ id: string; no: number; title: string }>(
    sql`select id, no, title from course_titles where no = any(${[course.no, ...numbers]}::int[])`,
  );
  const refOf = (no: number) => {
    const { id = '', title = '' } = ids.find((c) => c.no === no) ?? {};
    return { id, name: title };
  };
  // The result behind it: of the course that counts, unless both parts do.
  const ofParts = stands.counting?.parts ?? null;
  const counts = stands.counting && !ofParts ? refOf(stands.counting.course) : null;
  const result = counts
    ? await db.one<ResultSaid>(sql`select r.id, r.course_id, r.type, ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at, r.note,
        (select json_build_object('id', p.id, 'name', p.name) from person_names p where p.id = r.recorded_by) as recorded_by
      from current_results r where r.user_id = ${userId} and r.course_id = ${counts.id} order by ${bestFirst} limit 1`)
    : undefined;
  const alternative = stands.through && counts ? await saidBy(db, facts.place, courseId, counts.id) : null;

  const needsDoing = ['expired', 'missing', 'expiring', 'starter'].includes(stands.status);
  const open = (parts ?? []).filter((p) => p.open).map((p) => refOf(p.no).id);
  const neededCourseIds = !needsDoing ? [] : parts ? open : [courseId];
  const isOwn = userId === actor.user.uuid;
  const contents = isOwn
    ? await db.all<
        CourseStanding['contents'][number]
      >(sql`select distinct on (k.id) k.id as course_id, k.title as course_title, c.id as content_id, a.id as attempt_id
        from contents c join courses k on k.id = c.course_id
        left join lateral (select id from attempts where user_id = ${userId} and content_id = c.id and closed_at is null and state <> 'graded' order by try_no desc limit 1) a on true
        where k.id = any(${neededCourseIds}::uuid[]) and c.type in ('elearning', 'scorm') and c.published and not c.admin_only and c.deleted_at is null
          and ${mayTake(entityAndAbove(facts.place), { id: person.id, type_id: person.type_id })} order by k.id, a.id is null, c.created_at desc, c.id`)
    : [];
  const today = dayIn(at, facts.zone);
  const on = sql`exists (select 1 from session_delegates d where d.session_id = t.id and d.user_id = ${userId} and d.removed_at is null)`;
  const also = sql`(${bookableBy(actor)} or ${on})`;
  const until = addDays(today, sessionDays);
  const coming = (
    await Promise.all(
      neededCourseIds.map((id) => comingSessions(db, { sees: visibleSession(actor), also }, [id], today, until, sessionsLookedAt, at)),
    )
  ).flat();
  /** Sessions of training companies: bookings there are paid for. */
  const companies = new Set(
    (
      await db.all<{ id: string }>(
        sql`select p.id from unnest(${[...new Set(coming.map((s) => s.provider.id))]}::uuid[]) p (id) where not ${inOneTree(sql`p.id`, sql`${actor.place.id}::uuid`)}`,
      )
    ).map((c) => c.id),
  );
  const bookedIds = new Set(
    (
      await db.all<{ session_id: string }>(sql`select d.session_id from session_delegates d
        where d.user_id = ${userId} and d.removed_at is null and d.session_id = any(${coming.map((s) => s.id)}::uuid[])`)
    ).map((d) => d.session_id),
  );
  const sessions = neededCourseIds.flatMap((id) => {
    const ofCourse = coming.filter((s) => s.course_id === id);
    const next = ofCourse.find((s) => bookedIds.has(s.id)) ?? ofCourse.find((s) => !s.begun && freePlaces(s) !== 0);
    const title = ids.find((c) => c.id === id)?.title ?? course.title;
    return next
      ? [
          {
            id: next.id,
            course_title: title,
            on: next.on,
            start: next.start,
            venue: next.venue,
            free: freePlaces(next),
            booked: bookedIds.has(next.id),
            course_id: id,
            register: next.register,
            company: companies.has(next.provider.id) ? next.provider : null,
          },
        ]
      : [];
  });
  const months = rule?.renewal_months ?? course.renewal_months;
  return {
    ...{ user: { id: person.id, name: person.name }, place: { id: facts.place, name: facts.place_name, slug: facts.place_slug } },
    ...{ course: { id: course.id, name: course.title }, zone: facts.zone },
    ...{ status: stands.status, due_at: event?.due_at ?? stands.due_at, reason: event?.reason ?? stands.reason },
    rule: rule && {
      ...shownOf(rule),
      renewal_months: months === 0 ? null : months,
      started_on: facts.started_on,
      expiry_warning: requirement.expiry_warning,
      starter_period: requirement.starter_period,
    },
    result: result && counts ? { id: result.id, ...saidOf(result), course: counts } : null,
    alternative,
    parts:
      parts?.map(({ no, name, counts: part }) => ({
        ...{ name, course: refOf(no), completed_at: part?.completed_at ?? null, expires_at: part?.expires_at ?? null },
      })) ?? null,
    needs: neededCourseIds.map((id) => ({ id, name: ids.find((c) => c.id === id)?.title ?? course.title })),
    ...{ steps, contents, sessions },
  };
};

const shownOf = ({ required_since: _since, ...shown }: Rule) => shown;
const saidOf = ({ type, completed_at, expires_at, note, recorded_by }: ResultSaid) => ({ type, completed_at, expires_at, note, recorded_by });

/** The rule in effect for somebody, with its job role and the organisation of that. */
const ruleOf = async (on: Db, userId: string, courseId: string, at: Date): Promise<Rule | null> =>
  (await on.one<Rule>(sql`select json_build_object('id', r.id, 'name', r.name) as role, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, q.type, q.renewal_months,
      q.expiry_warning_days as expiry_warning, q.starter_period_days as starter_period, q.required_from::text as required_from, q.required_until::text as required_until, q.required_since::text as required_since
    from required_of(${userId}, ${at}::timestamptz) q join compliance k on k.id = q.id join roles r on r.id = k.role_id join entity_names e on e.id = r.entity_id
    where q.course_id = ${courseId}`)) ?? null;

/** The organisation that defines that one course counts for another, unless it counts through a third. */
const saidBy = async (on: Db, place: string, courseId: string, otherId: string): Promise<CourseStanding['alternative']> => {
  const definedBy = await on.one<{
    entity: { id: string; name: string; slug: string };
  }>(sql`select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity
    from course_links l join entity_names e on e.id = l.entity_id where l.kind = 'alternative' and l.course_id = ${courseId} and l.other_id = ${otherId}
      and l.entity_id in (${entityAndAbove(place)}) limit 1`);
  return definedBy ?? { entity: null };
};

/** The parts of a course, and which of them is due. */
const partsIn = (parts: { theory: number; practical: number } | undefined, stands: ReturnType<typeof standsWith>, at: Date, zone: string) =>
  parts &&
  (['theory', 'practical'] as const).map((name) => {
    const counts: Pick<Counting<number>, 'completed_at' | 'expires_at'> | null = stands.parts?.find((p) => p.name === name)?.result ?? null;
    const soon = counts?.expires_at && (isOver(counts.expires_at, at, zone) || counts.expires_at === stands.result?.expires_at);
    return { name, no: parts[name], counts, open: !counts || Boolean(soon) };
  });

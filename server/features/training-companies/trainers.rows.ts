import type { QueryOf } from '#contract/api/endpoint.ts';
import type { listTrainers } from '#contract/api/trainers.ts';
import { type Trainer, type TrainerCheck, type TrainerRow, weekdays } from '#contract/entities/trainer.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { contains, orderBy, pageOf } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { time, visibleSession } from '#server/features/training-sessions/registers.rows.ts';

/** Whether a row of `users u` is a trainer whom the actor can plan with: marked as one, not left, in their organisation or below it. */
const plannedTrainer = (actor: Actor): Statement =>
  sql`u.is_trainer and u.disabled_at is null and (${actor.seesAll} or u.primary_entity_id = any(${[...actor.entityIds]}::uuid[]))`;

const courses = sql`coalesce((select json_agg(json_build_object('id', k.id, 'name', k.title) order by k.title, k.id)
  from trainer_courses c join course_titles k on k.id = c.course_id where c.user_id = u.id), '[]')`;
const coming = (today: string) => sql`from training_sessions t where t.trainer_id = u.id and t.cancelled_at is null and t.date >= ${today}::date`;
const columns = (today: string) => sql`u.id, u.name, e.name as place, coalesce(x.home_base, '') as home_base, ${courses} as courses,
  (select count(*)::int ${coming(today)}) as coming, (select min(t.date)::text ${coming(today)}) as next`;
const from = sql`users u join entity_names e on e.id = u.primary_entity_id left join trainers x on x.user_id = u.id`;

/** A page of the trainers that the actor can plan with. */
export const trainerPage = (db: Db, actor: Actor, query: QueryOf<typeof listTrainers>, now: Date) => {
  const today = dayIn(now, actor.user.time_zone);
  const competent = query.course ? sql`exists (select 1 from trainer_courses c where c.user_id = u.id and c.course_id = ${query.course})` : sql`true`;
  const next = sql`coalesce((select min(t.date) ${coming(today)}), '2999-12-31'::date)`;
  return pageOf<TrainerRow>(db, '/api/trainers', query, {
    ...{
      columns: columns(today),
      from,
      where: sql`${plannedTrainer(actor)} and ${competent} and ${contains([sql`u.name`, sql`x.home_base`], query.search)}`,
    },
    order: orderBy(query.sort ?? 'name', { name: sql`u.name`, place: sql`e.name`, next }, sql`u.id`),
  });
};

/** One of them, or undefined. */
export const trainerWith = (db: Db, actor: Actor, id: string, now: Date): Promise<Trainer | undefined> =>
  db.one<Trainer>(sql`select ${columns(dayIn(now, actor.user.time_zone))}, coalesce(x.hours, '[]') as hours, coalesce(x.away, '[]') as away,
    coalesce(x.rev, 0) as rev from ${from} where u.id = ${id} and ${plannedTrainer(actor)}`);

/**
 * The sessions that somebody gives at a time, for any organisation, except `exceptSession`: nobody is in two places. In a transaction that
 * plans a session, after `lockEntity` of the trainer. `title` is null for a session that the caller does not see.
 */
export const trainerConflicts = (
  on: Db,
  trainerId: string,
  date: string,
  start: string,
  end: string,
  exceptSession: string | null,
): Promise<TrainerCheck['conflicts']> =>
  on.all<
    TrainerCheck['conflicts'][number]
  >(sql`select c.id, (select k.title from training_sessions t join course_titles k on k.id = t.course_id where t.id = c.id) as title,
      c.start_time as from, c.end_time as to
    from trainer_sessions_at(${trainerId}, ${date}::date, ${start}, ${end}) c where c.id is distinct from ${exceptSession}::uuid order by c.start_time, c.id`);

/** Other sessions in a room at a time that the actor sees, except `exceptSession`. A hall may hold two: the planner decides. */
export const roomWarnings = async (
  on: Db,
  actor: Actor,
  { room, date, from: start, to, session }: { room: string; date: string; from: string; to: string; session?: string | undefined },
): Promise<string[]> => {
  const others = await on.all<{
    title: string;
    from: string;
    to: string;
  }>(sql`select k.title, ${time(sql`t.start_time`)} as from, ${time(sql`t.end_time`)} as to
    from training_sessions t join course_titles k on k.id = t.course_id where t.room_id = ${room} and t.date between ${date}::date - 1 and ${date}::date + 1 and t.cancelled_at is null
      and t.id is distinct from ${session ?? null}::uuid and session_starts(t.date, t.start_time) < session_ends(${date}::date, ${start}::time, ${to}::time)
      and session_ends(t.date, t.start_time, t.end_time) > session_starts(${date}::date, ${start}::time) and ${visibleSession(actor)} order by t.start_time, t.id`);
  return others.map((o) => `“${o.title}” is in this room from ${o.from} to ${o.to} that day.`);
};

/** Warnings about a trainer for a session: they are away, do not work then, or have no recorded competence. */
export const trainerWarnings = (
  trainer: Trainer,
  { date, from: start, to, course }: { date: string; from: string; to: string; course?: string | undefined },
): string[] => {
  const day = ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
  const away = trainer.away.find((a) => a.from <= date && date <= a.to);
  const hours = trainer.hours.filter((h) => h.day === day);
  const works = hours.map((h) => `${h.from} to ${h.to}`).join(', ');
  return [
    ...(away
      ? [`${trainer.name} is away from ${dayWords(away.from)} to ${dayWords(away.to)}${away.reason ? `: ${away.reason}` : ''}.`]
      : trainer.hours.length > 0 && !hours.some((h) => h.from <= start && to <= h.to)
        ? [works ? `On ${weekdays[day - 1]}s ${trainer.name} works ${works}.` : `${trainer.name} does not work on ${weekdays[day - 1]}s.`]
        : []),
    ...(course && trainer.courses.length > 0 && !trainer.courses.some((c) => c.id === course)
      ? [`${trainer.name} is not noted as competent for this course.`]
      : []),
  ];
};

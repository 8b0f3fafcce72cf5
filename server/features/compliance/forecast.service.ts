import type { forecast, forecastPeople } from '#contract/api/forecast.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { Forecast, ForecastLine, ForecastSession } from '#contract/entities/forecast.ts';
import { complianceColourOf, complianceOf } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, daysBetween } from '#contract/rules/days.ts';
import { figuresOf, forecastDays, isAmong, turnBy } from '#contract/rules/forecast.ts';
import { existing, pagesOf } from '#server/db/rows.ts';
import { entityAndBelow, entityAt, hasCourseHere, listedPerson, personAt, visibleEntity } from '#server/db/seen.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { turnsIn, walkRequired } from '#server/features/compliance/required-walk.rows.ts';
import { bookableBy } from '#server/features/bookings/bookings.rows.ts';
import { comingSessions, freePlaces } from '#server/features/training-sessions/coming-sessions.rows.ts';
import { visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const furthest = forecastDays[forecastDays.length - 1] as number;
const sessionsShown = 20;

type Query = QueryOf<typeof forecast>;
/** Who turns amber and red in the days ahead, by the shared compliance rule at those days. */
export const forecastsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  /** All coming changes of required courses, for the people of this condition (on `users u`) who have not left and the courses of that condition. */
  const linesOf = async (which: Statement, ofCourses: Statement): Promise<{ people: number; lines: ForecastLine[] }> => {
    const at = now();
    const lines: ForecastLine[] = [];
    const people = await walkRequired(db, at, which, ofCourses, (person, course, stands) => {
      const starts = stands.startsIn > 0 && stands.startsIn <= furthest;
      const turns = turnsIn(stands, at);
      if (turns === null && !starts) return;
      const facts = stands.facts();
      const startsWithout = starts && facts.result === null;
      if ((turns ?? []).length === 0 && !startsWithout) return;
      const { status, reason } = complianceOf(facts, at);
      lines.push({
        id: `${person.id} ${course.course_id}`,
        user: { id: person.id, name: person.name },
        place: person.place,
        course: { id: course.course_id, title: course.title },
        ...{ colour: complianceColourOf[status], reason, turns: turns ?? [], booked: null },
        ...(startsWithout ? { starts_on: person.started_on, starts_in_days: stands.startsIn } : { starts_on: null, starts_in_days: null }),
      });
    });
    return { people: people.length, lines: await withBookings(lines, at) };
  };
  /** The next session of each course to which each person is booked. */
  const withBookings = async (lines: readonly ForecastLine[], at: Date): Promise<ForecastLine[]> => {
    type Booked = { user_id: string; course_id: string; session_id: string; on: string; zone: string };
    const [users, courses] = [[...new Set(lines.map((l) => l.user.id))], [...new Set(lines.map((l) => l.course.id))]];
    const rows =
      await db.all<Booked>(sql`select distinct on (d.user_id, t.course_id) d.user_id, t.course_id, t.id as session_id, t.date::text as "on", e.time_zone as zone
      from session_delegates d join training_sessions t on t.id = d.session_id join entity_names e on e.id = t.entity_id
      where d.user_id = any(${users}::uuid[]) and t.course_id = any(${courses}::uuid[]) and d.removed_at is null and t.cancelled_at is null
        and t.date >= (${at}::timestamptz at time zone e.time_zone)::date and not exists (select 1 from current_completions c where c.session_id = t.id)
      order by d.user_id, t.course_id, t.date, t.start_time, t.id`);
    const booked = new Map(
      rows.map(({ user_id, course_id, session_id, on, zone }) => [
        `${user_id} ${course_id}`,
        { session_id, on, in_days: daysBetween(dayIn(at, zone), on) },
      ]),
    );
    return lines.map((line) => ({ ...line, booked: booked.get(line.id) ?? null }));
  };
  /** The coming sessions of a course that the actor sees or can book, those with free places first. */
  const sessionsOf = async (actor: Actor, courseId: string): Promise<ForecastSession[]> => {
    const [today, last] = [dayIn(now(), actor.user.time_zone), addDays(dayIn(now(), actor.user.time_zone), furthest)];
    const rows = await comingSessions(db, { sees: visibleSession(actor), also: bookableBy(actor) }, [courseId], today, last, sessionsShown, now());
    return rows.map(({ id, on, venue, delegates, limit, register }) => ({
      ...{ id, on, venue, delegates, register, in_days: daysBetween(today, on), free: freePlaces({ limit, delegates }) },
    }));
  };
  /** The subject of the forecast, which the actor must see, and the people and courses it stands for. */
  const subjectOf = async (actor: Actor, { entity: slug, role_id, course_id }: Query) => {
    const entity: EntityRef | null = slug ? await entityAt(db, actor, slug) : null;
    const role = role_id
      ? existing(
          await db.one<{ id: string; name: string }>(sql`select r.id, r.name from roles r join entities e on e.id = r.entity_id
            where r.id = ${role_id} and (${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`),
        )
      : null;
    const course = course_id
      ? existing(
          await db.one<{ id: string; title: string }>(sql`select k.id, k.title from courses k where k.id = ${course_id} and ${hasCourseHere(actor)}`),
        )
      : null;
    const below = entity ? sql`u.primary_entity_id in (${entityAndBelow(sql`e.id = ${entity.id}`)})` : sql`true`;
    const holding = role ? sql`u.id in (select x.user_id from held_roles x where x.role_id = ${role.id})` : sql`true`;
    const itsCourses = role ? sql`q.course_id in (select a.course_id from compliance a where a.role_id = ${role.id})` : sql`true`;
    return {
      ...{ entity, role, course },
      people: sql`${listedPerson(actor)} and ${below} and ${holding}`,
      courses: sql`${itsCourses} and ${course ? sql`q.course_id = ${course.id}` : sql`true`}`,
    };
  };
  const first = (line: ForecastLine, days: number) => turnBy(line, days)?.in_days ?? line.starts_in_days ?? furthest;

  return {
    of: async (actor: Actor, query: Query): Promise<Forecast> => {
      const { entity, role, course, ...which } = await subjectOf(actor, query);
      const { people, lines } = await linesOf(which.people, which.courses);
      return { entity, role, course, people, figures: figuresOf(lines), sessions: course ? await sessionsOf(actor, course.id) : [] };
    },
    people: async (actor: Actor, { days, group, search, page, per_page, ...asked }: QueryOf<typeof forecastPeople>) => {
      const { people, courses } = await subjectOf(actor, asked);
      const words = search?.trim().toLowerCase() ?? '';
      const lines = (await linesOf(people, courses)).lines
        .filter((line) => isAmong(line, group, days) && [line.user.name, line.course.title].some((text) => text.toLowerCase().includes(words)))
        .sort((a, b) => first(a, days) - first(b, days));
      const asPage = { page, per_page };
      return { data: lines.slice((page - 1) * per_page, page * per_page), ...pagesOf('/api/forecast/people', asPage, lines.length) };
    },
    ofPerson: async (actor: Actor, id: string): Promise<ForecastLine[]> => {
      await personAt(db, actor, id);
      const { lines } = await linesOf(sql`u.id = ${id}`, sql`true`);
      return lines.filter((line) => line.turns.length > 0).sort((a, b) => first(a, furthest) - first(b, furthest));
    },
  };
};

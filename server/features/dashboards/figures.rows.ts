import {
  askedAt,
  complianceColourOf,
  complianceOf,
  type ComplianceStatus,
  complianceStatuses,
  dueDay,
  statusNumberOn,
  isStarterOn,
} from '#contract/rules/compliance-status.ts';
import { dayNumber, dayNumbersIn } from '#contract/rules/day-numbers.ts';
import { dayIn } from '#contract/rules/days.ts';
import { forecastDays, turnBy } from '#contract/rules/forecast.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { turnsIn, walkRequired } from '#server/features/compliance/required-walk.rows.ts';

/** People whose requirements are looked up at once. */
const atOnce = 2000;
const none = forecastDays.map(() => 0);

type Course = { required: number; in_date: number; overdue: number; turn_red: number[] };
type Place = Course & { people: number; starters: number; courses: Map<string, Course> };
type Person = { user_id: string; overdue: number; turn_red: number[]; starter: boolean };
const empty = (): Course => ({ required: 0, in_date: 0, overdue: 0, turn_red: [...none] });
const isGreen = (status: ComplianceStatus) => status === 'in_date' || status === 'expiring';

/** Counts how the people of these organisations comply, each organisation on its own, by the shared compliance rule, and stores it. */
export const countPlaces = async (
  db: Db,
  at: Date,
  entityIds: readonly string[],
  progress?: (done: number, total: number) => Promise<void>,
): Promise<void> => {
  const all = await db.all<{ id: string; entity_id: string }>(sql`select u.id, u.primary_entity_id as entity_id from users u
    where u.disabled_at is null and u.primary_entity_id = any(${[...entityIds]}::uuid[]) order by u.primary_entity_id, u.id`);
  const places = new Map<string, Place>(entityIds.map((id) => [id, { ...empty(), people: 0, starters: 0, courses: new Map() }]));
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce).map((p) => p.id);
    const persons = new Map<string, Person>();
    const todays = new Map<string, number>();
    const todayIn = (zone: string): number => {
      const known = todays.get(zone) ?? dayNumber(dayIn(at, zone));
      todays.set(zone, known);
      return known;
    };
    const personOf = (id: string): Person => {
      const known = persons.get(id) ?? { user_id: id, overdue: 0, turn_red: [...none], starter: false };
      persons.set(id, known);
      return known;
    };
    const people = await walkRequired(db, at, sql`u.id = any(${some}::uuid[])`, sql`true`, (person, { course_id }, stands) => {
      const place = places.get(person.entity_id);
      if (!place) return;
      const { asked, ownAlone, expires } = stands;
      const due = Number.isNaN(expires) ? dayNumber(dueDay(asked)) : 0;
      const ends = Number.isFinite(expires) ? dayNumbersIn(asked.zone)(expires) : expires;
      const facts = ownAlone ? null : stands.facts();
      const status = facts
        ? complianceOf(facts, at).status
        : (complianceStatuses[statusNumberOn(true, due, ends, asked.expiry_warning, todayIn(asked.zone))] as ComplianceStatus);
      const course = place.courses.get(course_id) ?? empty();
      place.courses.set(course_id, course);
      if (status !== 'starter' && askedAt(asked, at) === 'now') {
        course.required++;
        if (isGreen(status)) course.in_date++;
      }
      const colour = complianceColourOf[status];
      if (colour === 'red') {
        course.overdue++;
        personOf(person.id).overdue++;
      }
      const turns = turnsIn(stands, at);
      if (turns === null || turns.length === 0) return;
      forecastDays.forEach((days, i) => {
        if (turnBy({ user: person, colour, turns, starts_in_days: null, booked: null }, days)?.to !== 'red') return;
        course.turn_red[i] = (course.turn_red[i] ?? 0) + 1;
        const { turn_red } = personOf(person.id);
        turn_red[i] = (turn_red[i] ?? 0) + 1;
      });
    });
    for (const { id, entity_id, started_on, starter_period, zone } of people) {
      const place = places.get(entity_id);
      if (!place) continue;
      if (isStarterOn({ started_on, starter_period }, dayIn(at, zone))) personOf(id).starter = true;
      place.people++;
      const person = persons.get(id);
      if (!person) continue;
      if (person.overdue > 0) place.overdue++;
      if (person.starter) place.starters++;
      person.turn_red.forEach((n, i) => {
        if (n > 0) place.turn_red[i] = (place.turn_red[i] ?? 0) + 1;
      });
    }
    await keepPeople(db, some, [...persons.values()]);
    await progress?.(Math.min(from + atOnce, all.length), all.length);
  }
  await keepPlaces(db, at, places);
};

const keepPeople = async (db: Db, ids: readonly string[], persons: readonly Person[]): Promise<void> => {
  const rows = persons.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1));
  await db.tx(async (tx) => {
    await tx.run(
      sql`delete from person_figures where user_id = any(${[...ids]}::uuid[]) and not (user_id = any(${rows.map((p) => p.user_id)}::uuid[]))`,
    );
    await tx.run(sql`insert into person_figures (user_id, overdue, turn_red, starter)
      select p.user_id, p.overdue, p.turn_red, p.starter from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (user_id uuid, overdue smallint, turn_red smallint[], starter boolean)
        join users u on u.id = p.user_id
      on conflict (user_id) do update set overdue = excluded.overdue, turn_red = excluded.turn_red, starter = excluded.starter
        where (person_figures.overdue, person_figures.turn_red, person_figures.starter) is distinct from (excluded.overdue, excluded.turn_red, excluded.starter)`);
  });
};

const keepPlaces = async (db: Db, at: Date, places: ReadonlyMap<string, Place>): Promise<void> => {
  const rows = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const wholes = rows.map(([entity_id, { courses, ...place }]) => {
    const sums = [...courses.values()].reduce((sum, c) => ({ required: sum.required + c.required, in_date: sum.in_date + c.in_date }), {
      required: 0,
      in_date: 0,
    });
    return { ...place, ...sums, entity_id };
  });
  const courses = rows.flatMap(([entity_id, place]) => [...place.courses].map(([course_id, course]) => ({ ...course, entity_id, course_id })));
  await db.tx(async (tx) => {
    await tx.run(sql`insert into place_figures (entity_id, day, counted_at, people, overdue, turn_red, starters, required, in_date)
      select p.entity_id, (${at}::timestamptz at time zone e.time_zone)::date, ${at}, p.people, p.overdue, p.turn_red, p.starters, p.required, p.in_date
      from jsonb_to_recordset(${JSON.stringify(wholes)}::jsonb) as p (entity_id uuid, people integer, overdue integer, turn_red integer[], starters integer, required integer, in_date integer)
        join entities e on e.id = p.entity_id order by p.entity_id
      on conflict (entity_id, day) do update set counted_at = excluded.counted_at, people = excluded.people, overdue = excluded.overdue,
        turn_red = excluded.turn_red, starters = excluded.starters, required = excluded.required, in_date = excluded.in_date`);
    await tx.run(sql`delete from course_figures c where c.entity_id = any(${rows.map(([id]) => id)}::uuid[])`);
    await tx.run(sql`insert into course_figures (entity_id, course_id, required, in_date, overdue, turn_red)
      select c.entity_id, c.course_id, c.required, c.in_date, c.overdue, c.turn_red
      from jsonb_to_recordset(${JSON.stringify(courses)}::jsonb) as c (entity_id uuid, course_id uuid, required integer, in_date integer, overdue integer, turn_red integer[])
        join courses k on k.id = c.course_id join entities e on e.id = c.entity_id
      on conflict (entity_id, course_id) do update set required = excluded.required, in_date = excluded.in_date, overdue = excluded.overdue, turn_red = excluded.turn_red`);
  });
};

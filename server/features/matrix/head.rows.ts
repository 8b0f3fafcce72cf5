import { type MatrixCourse, matrixLimits } from '#contract/matrix/messages.ts';
import type { ReportFilter } from '#contract/reports/filter.ts';
import { isStarterOn } from '#contract/rules/compliance-status.ts';
import { dayIn } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { contains } from '#server/db/rows.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { type Db, often, sql, type Statement } from '#server/db/sql.ts';
import { chosenCourses, chosenPeople, type CoursesFilter, type PeopleFilter } from '#server/features/reports/selection.rows.ts';

/** An organisation of people in a matrix. Periods in days. */
export type Place = { id: string; name: string; zone: string; starter_period: number; expiry_warning: number };
/** A person in a matrix. `held` identifies the set of their job roles. */
export type Person = { id: string; name: string; place: Place; role_id: string | null; held: string; started_on: string };
/** What job roles require of a course on a day. Periods in days; null: those of the organisation. */
export type Asked = {
  course_no: number;
  type: 'primary' | 'secondary';
  expiry_warning: number | null;
  starter_period: number | null;
  required_from: string | null;
  required_until: string | null;
  required_since: string | null;
};
export type Column = MatrixCourse & { no: number };
export type Role = { id: string; name: string; inspectable: boolean };
/** Whose training a matrix shows and which courses, without its cells. */
export type MatrixHead = {
  people: readonly Person[];
  columns: readonly Column[];
  roles: readonly Role[];
  /** The requirements of a person today. */
  askedOf: (person: Person) => readonly Asked[];
};

/** The people and courses that a matrix is to show. */
export type HeadFilter = PeopleFilter & CoursesFilter & Pick<ReportFilter, 'compliance_type'>;

/** People in their organisation's starter period. */
export const isStarter = ({ started_on, place }: Person, now: Date): boolean =>
  isStarterOn({ started_on, starter_period: place.starter_period }, dayIn(now, place.zone));

/** People as they are now, with their further job roles (`m.more`). */
const peopleNow = sql`users u join entities e on e.id = u.primary_entity_id
    left join (select user_id, string_agg(role_id::text, ',' order by role_id) as more from user_roles group by user_id) m on m.user_id = u.id`;
/**
 * The people of a condition (on `users u`) who belonged to one of these organisations at an instant, as `users u` were then: with their
 * organisation and job roles of that time. `which` is about them as they are now.
 */
export const peopleThen = (at: Date, places: Statement, which: Statement): Statement => sql`(
    select u.id, u.name, u.started_on, coalesce(h.disabled_at, u.disabled_at) as disabled_at,
      case when h.user_id is null then u.primary_entity_id else h.entity_id end as primary_entity_id,
      case when h.user_id is null then u.role_id else h.role_id end as role_id,
      case when h.user_id is null then (select string_agg(x.role_id::text, ',' order by x.role_id) from user_roles x where x.user_id = u.id) else h.more_roles end as more
    from users u left join lateral (select p.* from past_placements p where p.user_id = u.id and p.until > ${at} order by p.until limit 1) h on true
    where ${which} and u.id in (select n.id from users n where n.primary_entity_id in (${places})
      union select p.user_id from past_placements p where p.until > ${at} and p.entity_id in (${places}))
  ) u join entities e on e.id = u.primary_entity_id and u.primary_entity_id in (${places}) cross join lateral (select u.more) m`;

/** People of this condition (on `users u` and their organisation, `entities e`), in this order. */
const peopleWhere = async (on: Db, which: Statement, order: Statement, people = peopleNow): Promise<Person[]> => {
  const rows = (await on.written(sql`select u.id, u.name, u.primary_entity_id, u.started_on, u.role_id, m.more
    from ${people}
    where ${which} ${order}`)) as [id: string, name: string, place: string, started_on: string, role: string | null, more: string | null][];
  const places = new Map(
    (
      await on.all<Place>(
        often(sql`select e.id, e.name, e.time_zone as zone, e.starter_period_days as starter_period, e.expiry_warning_days as expiry_warning
          from entities e where e.id = any(${[...new Set(rows.map(([, , place]) => place))]}::uuid[])`),
      )
    ).map((place) => [place.id, place]),
  );
  return rows.flatMap(([id, name, placeId, started_on, role_id, more]) => {
    const place = places.get(placeId);
    const held = role_id && more && !more.includes(role_id) ? `${role_id},${more}` : (more ?? role_id ?? '');
    return place ? [{ id, name, place, role_id, held, started_on }] : [];
  });
};
/** The people of a filter whom the actor sees and who have not left, by name. */
const peopleOf = async (on: Db, actor: Actor, filter: PeopleFilter, now: Date, search: string | undefined): Promise<Person[]> => {
  const which = sql`${chosenPeople(actor, filter, now)} and ${contains([sql`u.name`], search)}`;
  return peopleWhere(on, which, sql`order by lower(u.name), u.id limit ${matrixLimits.people + 1}`);
};
/** The names of the tags that people and their organisations have, by person. */
export const tagNamesOf = async (on: Db, userIds: readonly string[]): Promise<Map<string, readonly string[]>> => {
  const rows = await on.all<{ user_id: string; names: string[] }>(sql`select x.user_id, array_agg(distinct t.name order by t.name) as names
    from tags t join (select tag_id, user_id from tag_users union
      select y.tag_id, u.id from tag_entities y join entity_below b on b.above = y.entity_id join users u on u.primary_entity_id = b.below) x on x.tag_id = t.id
    where x.user_id = any(${[...userIds]}::uuid[]) group by x.user_id`);
  return new Map(rows.map((row) => [row.user_id, row.names]));
};

const whatIsAsked = (held: string, day: string): string => `${day} ${held}`;

type AskedRow = Asked & { held: string; day: string; course_id: string; title: string; short_title: string };
/** The requirements of sets of job roles on days. */
const askedBy = async (on: Db, sets: readonly { held: string; day: string }[]): Promise<Map<string, AskedRow[]>> => {
  const rows = await on.all<AskedRow>(
    often(sql`select s.held, s.day::text as day, k.course_id, c.no as course_no, c.title, c.short_title, k.type, k.expiry_warning_days as expiry_warning,
        k.starter_period_days as starter_period, k.required_from::text, k.required_until::text, k.required_since::text
      from unnest(${sets.map((s) => s.held)}::text[], ${sets.map((s) => s.day)}::date[]) as s (held, day)
      cross join lateral required_by(string_to_array(s.held, ',')::uuid[], s.day) k join course_titles c on c.id = k.course_id where k.asked`),
  );
  return Map.groupBy(rows, ({ held, day }) => whatIsAsked(held, day));
};

/** The requirements of people on the local day of an instant. */
const asksOf = async (on: Db, people: readonly Person[], now: Date): Promise<{ all: AskedRow[]; askedOf: (person: Person) => AskedRow[] }> => {
  const days = new Map<Place, string>();
  const dayAt = (place: Place): string => {
    const day = days.get(place) ?? dayIn(now, place.zone);
    days.set(place, day);
    return day;
  };
  const sets = new Map(people.map((p) => [whatIsAsked(p.held, dayAt(p.place)), { held: p.held, day: dayAt(p.place) }]));
  const lines = await askedBy(
    on,
    [...sets.values()].filter((s) => s.held !== ''),
  );
  return { all: [...lines.values()].flat(), askedOf: (person) => lines.get(whatIsAsked(person.held, dayAt(person.place))) ?? [] };
};
const columnsAsked = (all: readonly AskedRow[]): Column[] => [
  ...new Map(all.map(({ course_id: id, title, short_title, course_no: no }) => [id, { id, title, short_title, no }] as const)).values(),
];

/** The people and courses that a matrix shows to the actor now; with a search, only people whose name matches. */
export const headOf = async (on: Db, actor: Actor, filter: HeadFilter, now: Date, search?: string): Promise<MatrixHead> => {
  const people = await peopleOf(on, actor, filter, now, search);
  const { all, askedOf } = await asksOf(on, people, now);
  const chosen = chosenCourses(filter);
  const columns =
    chosen !== null
      ? await on.all<Column>(sql`select k.id, k.title, k.short_title, k.no from courses k where ${chosen} and ${hasCourseHere(actor)}`)
      : columnsAsked(all.filter(({ type }) => filter.compliance_type === 'all' || type === filter.compliance_type));
  const roles = await on.all<Role>(
    often(
      sql`select r.id, r.name, r.inspectable from roles r where r.id = any(${[...new Set(people.flatMap((p) => p.role_id ?? []))]}::uuid[]) order by r.name, r.id`,
    ),
  );
  const collator = new Intl.Collator('en-GB', { numeric: true });
  return { ...{ people, roles, askedOf }, columns: columns.sort((a, b) => collator.compare(a.title, b.title) || a.no - b.no) };
};
/**
 * The people of a condition (on `users u`) with every course required of one of them at an instant: for counting, without names of roles.
 * `were`: of `peopleThen`, instead of as they are now.
 */
export const countedHead = async (on: Db, which: Statement, at: Date, were?: Statement): Promise<MatrixHead> => {
  const people = await peopleWhere(on, which, sql`order by u.primary_entity_id, u.id`, were);
  const { all, askedOf } = await asksOf(on, people, at);
  return { people, roles: [], columns: columnsAsked(all), askedOf };
};

import { percentOf } from '#contract/rules/percent.ts';
import type { dashboardCourses, dashboardFigures, dashboardPeople, dashboardPlaces, dashboardTrend } from '#contract/api/dashboards.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import {
  type CourseFigures,
  type Figures,
  type MonthFigures,
  type NeedyPerson,
  type PeopleNeed,
  type PlaceFigures,
  seesCompliance,
  type Waiting,
} from '#contract/entities/dashboard.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { complianceColourOf, complianceOf } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { turnBy } from '#contract/rules/forecast.ts';
import { needOf } from '#contract/site-map.ts';
import type { Actor } from '#server/actor.ts';
import { contains, pagePart, pagesOf } from '#server/db/rows.ts';
import { entityAt, listedPerson, oneByOne, visibleEntity } from '#server/db/seen.ts';
import { instant, often, type Statement, sql } from '#server/db/sql.ts';
import { turnsIn, walkRequired } from '#server/features/compliance/required-walk.rows.ts';
import { freshen } from '#server/features/dashboards/figures.service.ts';
import { isToDecide } from '#server/features/results/results.rows.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** How many weeks of figures are shown; a score is compared with that of this many weeks ago. */
const weeks = 13;
const weeksBefore = 4;
const monthsShown = 12;
const [soonDays, soonAt] = [30, 1];
/** Figures just counted for another part of the same page are recent enough. */
const samePageMs = 5000;
const peopleNamed = 5;

type Numbers = { required: number; in_date: number };
const noCompliance = { required: null, in_date: null, score: null };
const scoreOf = <T extends Numbers>(row: T): T & { score: number | null } => ({
  ...row,
  score: percentOf(row.in_date, row.required),
});
const sums = sql`coalesce(sum(f.people), 0)::int as people, coalesce(sum(f.overdue), 0)::int as overdue, coalesce(sum(f.required), 0)::int as required,
  coalesce(sum(f.in_date), 0)::int as in_date`;
const turnRed = sql`array[coalesce(sum(f.turn_red[1]), 0)::int, coalesce(sum(f.turn_red[2]), 0)::int, coalesce(sum(f.turn_red[3]), 0)::int] as turn_red`;
/** The figures of an organisation (`entity_id`) on a day, if they were counted in the week before. */
const figuresOn = (entityId: Statement, day: Statement): Statement =>
  sql`(select x.* from place_figures x where x.entity_id = ${entityId} and x.day <= ${day} and x.day > ${day} - 7 order by x.day desc limit 1)`;
const latest = (entityId: Statement): Statement => sql`(select x.* from place_figures x where x.entity_id = ${entityId} order by x.day desc limit 1)`;
const needs: Record<PeopleNeed, { which: Statement; order: Statement }> = {
  overdue: { which: sql`f.overdue > 0`, order: sql`f.overdue desc` },
  soon: { which: sql`f.turn_red[1] > 0`, order: sql`f.turn_red[1] desc` },
  starters: { which: sql`f.starter`, order: sql`u.started_on desc` },
};

/** The dashboards' figures of everybody whom the actor sees, the people behind them, and pending tasks. */
export const dashboardsOf = (services: Pick<Services, 'db' | 'now' | 'jobs'>) => {
  const { db, now } = services;
  /** Figures are about other people: an actor who sees nobody else has none, whichever dashboards they may open. */
  const placeOf = async (actor: Actor, slug: string | undefined): Promise<EntityRef | null> => {
    if (!can(actor.user, needOf('forecast'))) throw new ProductError('forbidden');
    return slug ? entityAt(db, actor, slug) : actor.seesAll ? null : actor.place;
  };
  /** The organisations (`entities e`) of the figures. */
  const within = (actor: Actor, place: EntityRef | null): Statement =>
    place && place.id !== actor.place.id
      ? sql`e.id in (select b.below from entity_below b where b.above = ${place.id}) and ${visibleEntity(actor)}`
      : visibleEntity(actor);
  const todayOf = (actor: Actor): string => dayIn(now(), actor.user.time_zone);

  const figures = async (actor: Actor, { entity: slug }: QueryOf<typeof dashboardFigures>): Promise<Figures> => {
    const place = await placeOf(actor, slug);
    await freshen(services, actor, 0);
    const scope = sql`select e.id from entities e where ${within(actor, place)}`;
    type Sums = Omit<Figures, 'weeks' | 'entity' | 'score' | keyof Numbers> & Numbers & { places: number; counted: number };
    const row = await db.one<Sums>(sql`with scope as (${scope})
      select (select count(*)::int from scope) as places, count(*)::int as counted, ${instant(sql`min(f.counted_at)`)} as counted_at, ${sums}, ${turnRed},
        coalesce(sum(f.starters), 0)::int as starters from scope s cross join lateral ${latest(sql`s.id`)} f`);
    const days = Array.from({ length: weeks }, (_, i) => addDays(todayOf(actor), -7 * (weeks - 1 - i)));
    const past = await db.all<Omit<Figures['weeks'][number], 'score' | keyof Numbers> & Numbers>(sql`with scope as (${scope})
      select w.on::text as "on", ${sums} from unnest(${days}::date[]) as w ("on") cross join scope s cross join lateral ${figuresOn(sql`s.id`, sql`w.on`)} f
      group by w.on order by w.on`);
    const { places = 0, counted = 0, ...known } = row ?? ({} as Partial<Sums>);
    const all = { people: 0, overdue: 0, required: 0, in_date: 0, turn_red: [0, 0, 0], starters: 0, counted_at: null, ...known };
    const shown = <T extends Numbers>(row: T) => ({ ...row, ...(can(actor.user, seesCompliance) ? scoreOf(row) : noCompliance) });
    return { ...shown(all), counted_at: counted < places ? null : all.counted_at, entity: place, weeks: past.map(shown) };
  };

  /** The courses for which people on a page of the list need something, the one that is or was due first before the others. */
  const coursesOf = async (ids: readonly string[], need: PeopleNeed): Promise<Map<string, NeedyPerson['courses']>> => {
    const at = now();
    const found = new Map<string, { due: string; course: NeedyPerson['courses'][number] }[]>();
    await walkRequired(db, at, sql`u.id = any(${[...ids]}::uuid[])`, sql`true`, (person, course, stands) => {
      const { status, due_at, reason } = complianceOf(stands.facts(), at);
      const colour = complianceColourOf[status];
      const turns = need === 'soon' ? (turnsIn(stands, at) ?? []) : [];
      const isMeant = {
        overdue: () => colour === 'red',
        soon: () => turnBy({ user: person, colour, turns, starts_in_days: null, booked: null }, soonDays)?.to === 'red',
        starters: () => status === 'starter' || status === 'missing',
      }[need]();
      if (!isMeant) return;
      const one = { due: due_at ?? '', course: { id: course.course_id, title: course.title, status, reason } };
      found.set(person.id, [...(found.get(person.id) ?? []), one]);
    });
    const byDue = (a: { due: string }, b: { due: string }) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0);
    return new Map([...found].map(([id, all]) => [id, all.sort(byDue).map(({ course }) => course)]));
  };

  return {
    figures,
    people: async (actor: Actor, { need, search, entity: slug, ...asked }: QueryOf<typeof dashboardPeople>) => {
      const place = await placeOf(actor, slug);
      await freshen(services, actor, samePageMs);
      const { which, order } = needs[need];
      // Found with as little as possible: details are read only for the people on the page.
      const found = sql`person_figures f join users u on u.id = f.user_id where ${which} and u.disabled_at is null and ${listedPerson(actor)}
        and u.primary_entity_id in (select e.id from entities e where ${within(actor, place)}) and ${contains([sql`u.name`], search)}`;
      type Row = Omit<NeedyPerson, 'courses'>;
      const rows = await db.all<Row & { total: number }>(sql`with page as (
          select u.id, u.name, u.role_id, u.primary_entity_id, u.started_on, f.overdue, f.turn_red[${soonAt}::int] as soon, f.starter, (count(*) over ())::int as total from ${found} order by ${order}, u.name, u.id ${pagePart(asked)})
        select p.id, p.name, coalesce(r.name, '') as role, e.name as place, p.started_on::text as started_on, p.overdue, p.soon, p.starter, p.total
        from page p join entities e on e.id = p.primary_entity_id left join roles r on r.id = p.role_id
        order by ${{ overdue: sql`p.overdue desc`, soon: sql`p.soon desc`, starters: sql`p.started_on desc` }[need]}, p.name, p.id`);
      // One pass: only a page past the end has no total.
      const total = rows[0]?.total ?? (await db.one<{ n: number }>(sql`select count(*)::int as n from ${found}`))?.n ?? 0;
      const courses = await coursesOf(
        rows.map((r) => r.id),
        need,
      );
      const data = rows.map(({ total: _, ...row }): NeedyPerson => ({ ...row, courses: courses.get(row.id) ?? [] }));
      return { data, ...pagesOf('/api/dashboards/people', asked, total) };
    },
    waiting: async (actor: Actor): Promise<Waiting> => {
      const sees = {
        results: can(actor.user, needOf('results-pending-by-type')),
        certificates: can(actor.user, needOf('care-certificate-overview')),
        devices: can(actor.user, needOf('devices')),
      };
      type Row = { results: number; certificates: number; unsent: number; oldest: string | null; people: { id: string; name: string }[] };
      // Few tasks are pending: the list of visible organisations is not sent along.
      const seen = listedPerson(actor, oneByOne);
      const row = await db.one<Row>(
        often(sql`with unsent as (select u.id, u.name, d.oldest_waiting_at, d.contact_at from device_contacts d join users u on u.id = d.user_id
          where ${sees.devices} and ${seen} and d.waiting + d.needs_person > 0)
        select (select count(*)::int from results r join users u on u.id = r.user_id where ${sees.results} and ${seen} and ${isToDecide(sql`${actor.user.uuid}`)}) as results,
          (select count(*)::int from care_certificates c join users u on u.id = c.user_id where ${sees.certificates} and ${seen} and u.disabled_at is null
            and c.approved_at is null and c.met_at is not null) as certificates,
          (select count(*)::int from unsent) as unsent, (select ${instant(sql`min(oldest_waiting_at)`)} from unsent) as oldest,
          coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name)) from (select id, name from unsent group by id, name order by min(contact_at) limit ${peopleNamed}) p), '[]') as people`),
      );
      if (!row) return { results: null, certificates: null, devices: null };
      const { results, certificates, unsent, oldest, people } = row;
      return {
        results: sees.results ? results : null,
        certificates: sees.certificates ? certificates : null,
        devices: sees.devices ? { unsent, oldest, people } : null,
      };
    },
    trend: async (actor: Actor, { entity: slug }: QueryOf<typeof dashboardTrend>): Promise<{ data: MonthFigures[] }> => {
      if (!can(actor.user, seesCompliance)) throw new ProductError('forbidden');
      const place = await placeOf(actor, slug);
      const rows = await db.all<Omit<MonthFigures, 'score'>>(sql`select m.month::text as month, sum(c.asked - c.starter)::int as required,
          sum(c.in_date + c.expiring)::int as in_date, bool_or(m.computed) as computed
        from compliance_months m join entities e on e.id = m.entity_id join compliance_counts c on c.month_id = m.id
        where m.final and ${within(actor, place)} and m.month >= date_trunc('month', ${todayOf(actor)}::date) - make_interval(months => ${monthsShown}) group by m.month order by m.month`);
      return { data: rows.map(scoreOf) };
    },
    places: async (actor: Actor, { entity: slug }: QueryOf<typeof dashboardPlaces>): Promise<{ data: PlaceFigures[] }> => {
      const place = await placeOf(actor, slug);
      await freshen(services, actor, samePageMs);
      const before = addDays(todayOf(actor), -7 * weeksBefore);
      const top = place ? sql`c.parent_id = ${place.id}` : sql`c.parent_id is null`;
      type Row = Omit<PlaceFigures, 'score' | 'before'> & { was_required: number; was_in_date: number };
      const rows = await db.all<Row>(sql`with places as (
          select c.id, c.name, c.slug, false as own, b.below from entities c join entity_below b on b.above = c.id where ${top}
          union all select c.id, c.name, c.slug, true, c.id from entities c where c.id = ${place?.id ?? null}::uuid)
        select s.id, json_build_object('id', s.id, 'name', s.name, 'slug', s.slug) as entity, s.own,
          not s.own and exists (select 1 from entities d where d.parent_id = s.id) as has_below, ${sums},
          coalesce(sum(w.required), 0)::int as was_required, coalesce(sum(w.in_date), 0)::int as was_in_date
        from places s join entities e on e.id = s.below and ${visibleEntity(actor)} left join lateral ${latest(sql`s.below`)} f on true
          left join lateral ${figuresOn(sql`s.below`, sql`${before}::date`)} w on true
        group by s.id, s.name, s.slug, s.own having not s.own or sum(f.people) > 0 order by s.name, s.id`);
      const data = rows.map(({ was_required, was_in_date, ...row }) => ({
        ...scoreOf(row),
        before: scoreOf({ required: was_required, in_date: was_in_date }).score,
      }));
      return { data: data.sort((a, b) => (a.score ?? 101) - (b.score ?? 101)) };
    },
    courses: async (actor: Actor, { entity: slug, per_page }: QueryOf<typeof dashboardCourses>): Promise<{ data: CourseFigures[] }> => {
      const place = await placeOf(actor, slug);
      await freshen(services, actor, samePageMs);
      const rows = await db.all<
        Omit<CourseFigures, 'score'>
      >(sql`select c.id, c.title, sum(f.required)::int as required, sum(f.in_date)::int as in_date, sum(f.overdue)::int as overdue, ${turnRed}
        from course_figures f join entities e on e.id = f.entity_id join course_titles c on c.id = f.course_id where ${within(actor, place)}
        group by c.id, c.title having sum(f.required) > 0 order by sum(f.in_date)::float / sum(f.required), sum(f.required) desc, c.title limit ${per_page}`);
      return { data: rows.map(scoreOf) };
    },
  };
};

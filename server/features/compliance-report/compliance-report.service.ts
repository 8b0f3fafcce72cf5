import type { QueryOf } from '#contract/api/endpoint.ts';
import type { drillDownEntities, drillDownRoles, drillDownTags, drillDownUsers } from '#contract/api/compliance-report.ts';
import {
  type ComplianceFilter,
  type ComplianceMonth,
  type ComplianceNumbers,
  type ComplianceReport,
  complianceNumbers,
  type DrillDownLine,
} from '#contract/entities/compliance-report.ts';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import type { Actor } from '#server/actor.ts';
import { beyondScope } from '#server/db/scope.ts';
import { existing, pagesOf } from '#server/db/rows.ts';
import { entityAndAbove, entityAndBelow, listedPerson, marked, visibleEntity } from '#server/db/seen.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { countBy, sumOf, wasThere } from '#server/features/compliance-report/counts.rows.ts';
import {
  type CountedCourse,
  type CountedPerson,
  countedCourses,
  countedPeople,
  countedTags,
  listedByMonth,
} from '#server/features/compliance-report/people.rows.ts';
import { endOf, monthIn, monthsBefore, monthsOf, standsMs } from '#server/features/compliance-report/months.service.ts';
import { type Person, peopleThen } from '#server/features/matrix/head.rows.ts';
import { namedPeople, namesIn } from '#server/features/reports/selection.rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Up to this many people are counted during a request; more by a job. */
const countedAtOnce = 2000;
/** People chosen individually or by tags have no stored figures: up to this many are counted during a request. */
const chosenAtOnce = 3000;
/** About this many are counted in a second; used to estimate what would take too long. */
const peopleASecond = 5000;
/** For past months listed people only have to be read: up to this many. */
const readAtOnce = 50_000;
const none: ComplianceNumbers = sumOf([]);

type Of = QueryOf<typeof drillDownTags>;
/** The end of a past month. */
type Over = { month: string; at: Date; zone: string };
type Counting = Pick<MatrixFilter, 'roles' | 'courses' | 'compliance_type' | 'new_starters_filter'>;

/** What is due: everything required except what new starters still have time for. */
const requiredOf = ({ asked, starter }: ComplianceNumbers): number => asked - starter;
const inDateOf = ({ in_date, expiring }: ComplianceNumbers): number => in_date + expiring;
const scoreOfNumbers = (numbers: ComplianceNumbers): number | null => scoreOf({ required: requiredOf(numbers), in_date: inDateOf(numbers) });

/** The tables of counts, with the condition of a filter on their rows (as `c`). */
const countsFor = ({ roles, courses, compliance_type: type, new_starters_filter: starters }: Counting): { table: Statement; which: Statement } => ({
  table: roles.length > 0 ? sql`compliance_role_counts` : sql`compliance_counts`,
  which: sql`${roles.length > 0 ? sql`c.held && ${[...roles]}::uuid[]` : sql`true`} and ${courses.length > 0 ? sql`c.course_id = any(${[...courses]}::uuid[])` : sql`true`}
    and ${type === 'all' ? sql`true` : sql`c.type = ${type}`} and ${starters === 'include_new_starters' ? sql`true` : sql`c.new_starter = ${starters === 'new_starters_only'}`}`,
});
const sums = complianceNumbers
  .map((name) => ({ text: `coalesce(sum(c.${name}), 0)::int as ${name}`, values: [] }) as Statement)
  .reduce((a, b) => sql`${a}, ${b}`);

/** The chosen organisations (on `entities e`) among those that the actor sees. */
const chosenPlaces = (actor: Actor, entities: readonly string[]): Statement =>
  sql`${visibleEntity(actor)} and ${entities.length === 0 ? sql`true` : sql`e.id in (${entityAndBelow(sql`e.id = any(${[...entities]}::uuid[])`)})`}`;

const tooLarge = (people: number, most: number, hint: string): ProductError => {
  const expected_seconds = Math.ceil(people / peopleASecond);
  const minutes = Math.ceil(expected_seconds / 60);
  const thousands = (n: number) => n.toLocaleString('en-GB');
  return new ProductError('report_too_large', {
    message: `This report is too large to wait for: it covers ${thousands(people)} people, and at most ${thousands(most)} are counted at once. It may take up to ${minutes === 1 ? 'a minute' : `${thousands(minutes)} minutes`}. ${hint}`,
    extra: { expected_seconds, people },
  });
};

/** The compliance report: how much of what is required was in date, month by month, and who is behind it. */
export const complianceReportsOf = (services: Services) => {
  const { db, now } = services;
  const months = monthsOf(services);

  /** Whether the figures of these organisations are recent enough. Small numbers of people are counted at once. */
  const isReady = async (actor: Actor, which: Statement, recount: boolean): Promise<boolean> => {
    const oldest = new Date(now().getTime() - standsMs);
    const lastMonth = monthsBefore(monthIn(now(), actor.user.time_zone), 1);
    const state = await db.one<{ people: number; stale: number; unwritten: number }>(sql`with places as (select e.id from entities e where ${which})
      select (select count(*) from users u where u.disabled_at is null and u.primary_entity_id in (select id from places))::int as people,
        (select count(*) from places p where not exists (select 1 from compliance_months m where m.entity_id = p.id and not m.final and m.counted_at > ${oldest}))::int as stale,
        (select count(*) from places p where not exists (select 1 from compliance_months m where m.entity_id = p.id and m.final and m.month = any(${lastMonth}::date[])))::int as unwritten`);
    const { people = 0, stale = 0, unwritten = 0 } = state ?? {};
    if (unwritten > 0) await months.ask('months');
    if (people <= countedAtOnce) {
      const ids = (await db.all<{ id: string }>(sql`select e.id from entities e where ${which}`)).map((e) => e.id);
      if (recount || stale > 0) await beyondScope(() => months.countNow(sql`e.id = any(${ids}::uuid[])`));
      return unwritten === 0;
    }
    if (stale > 0) await months.ask({ place: actor.seesAll ? null : actor.place });
    return stale === 0 && unwritten === 0;
  };

  const lineOf = (id: string, name: string, numbers: ComplianceNumbers, more: Partial<DrillDownLine> = {}): DrillDownLine => ({
    ...{ id, name, ...more, ...numbers, required: requiredOf(numbers), score: scoreOfNumbers(numbers) },
  });
  const countedFor = ({ courses, compliance_type: type }: Pick<Counting, 'courses' | 'compliance_type'>) => {
    const chosenCourses = new Set(courses);
    return (c: { course_id: string; type: string }) =>
      (type === 'all' || c.type === type) && (chosenCourses.size === 0 || chosenCourses.has(c.course_id));
  };
  const isWanted = (newStarter: boolean, filter: Counting['new_starters_filter']): boolean =>
    filter === 'include_new_starters' || newStarter === (filter === 'new_starters_only');
  /** Counts people in groups, if they are not too many: as they stand now, or as they stood at the end of a month. */
  const countChosen = async (
    which: Statement,
    filter: Pick<Counting, 'courses' | 'compliance_type' | 'new_starters_filter'>,
    groupsOf: (person: Person) => readonly string[],
    hint: string,
    { most = chosenAtOnce, month = null, were }: { most?: number | undefined; month?: Over | null; were?: Statement | undefined } = {},
  ) => {
    const presentPeople = sql`${which} and ${month ? wasThere(month.at, month.zone) : sql`u.disabled_at is null`}`;
    const people = (await db.one<{ n: number }>(sql`select count(*)::int as n from ${were ?? sql`users u`} where ${presentPeople}`))?.n ?? 0;
    if (people > most) throw tooLarge(people, most, hint);
    const groups = await countBy(
      db,
      presentPeople,
      month?.at ?? now(),
      (person, newStarter) => (isWanted(newStarter, filter.new_starters_filter) ? groupsOf(person) : []),
      { past: month !== null, were },
    );
    const isCounted = countedFor(filter);
    return new Map([...groups].map(([name, { people: all, counted }]) => [name, { people: all, counted: counted.filter(isCounted) }]));
  };

  type Past = { months: Pick<ComplianceMonth, 'month' | 'source' | 'counted_at' | 'entities'>[]; counted: CountedCourse[] };
  /**
   * The months that are over, earliest first, of people chosen individually or by tags, from the lists stored with them: with the tags that they had then.
   * Begins with the first month that has a list; of so many people that they cannot be read at once, with a later one.
   */
  const pastOfChosen = async (actor: Actor, filter: ComplianceFilter, most: number): Promise<Past> => {
    const latestFirst = monthsBefore(monthIn(now(), actor.user.time_zone), filter.previousMonths);
    const rows = sql`m.final and m.month = any(${latestFirst}::date[]) and m.entity_id in (select e.id from entities e where ${chosenPlaces(actor, filter.entities)})`;
    const stored = new Map(
      (
        await db.all<{ month: string; entities: number; computed: boolean; counted_at: string }>(
          sql`select to_char(m.month, 'YYYY-MM') as month, count(*)::int as entities, bool_or(m.computed) as computed, max(m.counted_at) as counted_at
            from compliance_months m where m.listed and ${rows} group by 1`,
        )
      ).map((m) => [m.month, m]),
    );
    const users =
      filter.users.length === 0
        ? null
        : (await db.all<{ id: string }>(sql`select u.id from users u where u.id = any(${[...filter.users]}::uuid[]) and ${listedPerson(actor)}`)).map(
            (u) => u.id,
          );
    const tagged = new Map<string, { everybody: boolean; ids: Set<string> }>();
    for (const { month, place, people } of filter.tags.length > 0 ? await countedTags(db, rows, filter.tags) : []) {
      const marked = tagged.get(`${month} ${place}`) ?? { everybody: false, ids: new Set() };
      tagged.set(`${month} ${place}`, marked);
      if (people) for (const id of people) marked.ids.add(id);
      else marked.everybody = true;
    }
    const which = sql`${rows} and ${users ? sql`g.people && ${users}::uuid[]` : sql`true`}
      and ${filter.roles.length > 0 ? sql`g.held && ${[...filter.roles]}::uuid[]` : sql`true`}
      and ${filter.tags.length > 0 ? sql`m.entity_id = any(${[...new Set([...tagged.keys()].map((key) => key.slice(8)))]}::uuid[])` : sql`true`}`;
    const people = await listedByMonth(db, which);
    let read = 0;
    const fitting = latestFirst
      .map((day) => day.slice(0, 7))
      .filter((month) => {
        read += people.get(month) ?? 0;
        return read <= most;
      });
    const axis = fitting.slice(0, fitting.findLastIndex((month) => stored.has(month)) + 1).reverse();
    const chosen = users && new Set(users);
    const rules = { isWanted: countedFor(filter), isStarterWanted: (newStarter: boolean) => isWanted(newStarter, filter.new_starters_filter) };
    const counted: CountedCourse[] = [];
    // One month after the other: a report that nobody waits for may cover many people.
    for (const month of axis) {
      const isChosen = ({ id, place }: { id: string; place: string }) => {
        const marked = tagged.get(`${month} ${place}`);
        return (!chosen || chosen.has(id)) && (filter.tags.length === 0 || marked?.everybody === true || marked?.ids.has(id) === true);
      };
      counted.push(...(await countedCourses(db, sql`${which} and m.month = ${`${month}-01`}`, rules, isChosen)));
    }
    const months = axis.map((month) => {
      const { entities = 0, computed = false, counted_at = null } = stored.get(month) ?? {};
      return {
        ...{ month, entities, counted_at },
        source: entities === 0 ? ('unknown' as const) : computed ? ('computed' as const) : ('kept' as const),
      };
    });
    return { months, counted };
  };

  /** The figures of people chosen individually or by tags: now, and of the months that are over as they were stored with them. */
  const reportOfChosen = async (
    actor: Actor,
    filter: ComplianceFilter,
    { month: heatMonth, patient = false }: { month?: string | undefined; patient?: boolean } = {},
  ): Promise<ComplianceReport> => {
    const [atOnce, read] = patient ? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] : [chosenAtOnce, readAtOnce];
    const groups = await countChosen(namedPeople(actor, filter), filter, (person) => [person.place.id], 'Choose fewer people or tags.', {
      most: atOnce,
    });
    const past = await pastOfChosen(actor, filter, read);
    const month = monthIn(now(), actor.user.time_zone).slice(0, 7);
    const present = [...groups].flatMap(([place, { counted }]) =>
      counted.map(({ course_id, numbers }): CountedCourse => ({ month, place, course_id, numbers })),
    );
    const all = [...past.counted, ...present];
    const axis = [...past.months.map((m) => m.month), month];
    const heat = heatMonth && axis.includes(heatMonth) ? heatMonth : month;
    const totalOf = (counted: readonly CountedCourse[] = []) => sumOf(counted.map((c) => c.numbers));
    const trendOf = (counted: readonly CountedCourse[] = []) => {
      const byMonth = Map.groupBy(counted, (c) => c.month);
      const totals = axis.map((m) => totalOf(byMonth.get(m)));
      return { required: totals.map(requiredOf), in_date: totals.map(inDateOf) };
    };
    const [byMonth, byCourse, byPlace] = (['month', 'course_id', 'place'] as const).map((name) => Map.groupBy(all, (c) => c[name])) as [
      Map<string, CountedCourse[]>,
      Map<string, CountedCourse[]>,
      Map<string, CountedCourse[]>,
    ];
    const courses = await titlesOf([...byCourse.keys()]);
    const places = await db.all<{ id: string; name: string; slug: string }>(
      sql`select e.id, e.name, e.slug from entities e where e.id = any(${[...byPlace.keys()]}::uuid[]) order by lower(e.name), e.id`,
    );
    const nowMonth = { month, source: 'now' as const, counted_at: now().toISOString(), entities: groups.size };
    return {
      months: [...past.months, nowMonth].map((m): ComplianceMonth => {
        const total = totalOf(byMonth.get(m.month));
        return { ...m, ...total, score: scoreOfNumbers(total) };
      }),
      courses: courses.map((course) => ({ ...course, ...trendOf(byCourse.get(course.id)) })),
      entities: places.map((place) => {
        const counted = byPlace.get(place.id) ?? [];
        const inMonth = Map.groupBy(
          counted.filter((c) => c.month === heat),
          (c) => c.course_id,
        );
        const cells = courses.map(({ id }) => totalOf(inMonth.get(id)));
        return { ...place, ...trendOf(counted), course_required: cells.map(requiredOf), course_in_date: cells.map(inDateOf) };
      }),
      chosen: await namesIn(db, actor, filter),
    };
  };

  /** The titles of courses, by title. */
  const titlesOf = async (ids: readonly string[]): Promise<{ id: string; title: string }[]> => {
    const titles = new Map(
      (await db.all<{ id: string; title: string }>(sql`select id, title from course_titles where id = any(${[...ids]}::uuid[])`)).map((c) => [
        c.id,
        c.title,
      ]),
    );
    const collator = new Intl.Collator('en-GB', { numeric: true });
    return ids.map((id) => ({ id, title: titles.get(id) ?? 'A course that was removed' })).sort((a, b) => collator.compare(a.title, b.title));
  };

  /** The report of whole organisations, from stored figures. */
  const reportOfPlaces = async (actor: Actor, filter: ComplianceFilter, heatMonth: string | undefined): Promise<ComplianceReport> => {
    const thisMonth = monthIn(now(), actor.user.time_zone);
    const before = monthsBefore(thisMonth, filter.previousMonths).reverse();
    const axis = [...before, thisMonth].map((month) => month.slice(0, 7));
    const heat = heatMonth && axis.includes(heatMonth) ? heatMonth : (axis.at(-1) as string);
    const { table, which } = countsFor(filter);
    const places = await db.all<{ id: string; name: string; slug: string }>(
      sql`select e.id, e.name, e.slug from entities e where ${chosenPlaces(actor, filter.entities)} order by lower(e.name), e.id`,
    );
    const ids = places.map((p) => p.id);
    const shown = sql`select m.id, m.entity_id, m.computed, m.counted_at, m.final, case when m.final then to_char(m.month, 'YYYY-MM') else ${axis.at(-1) as string} end as month
      from compliance_months m where m.entity_id = any(${ids}::uuid[]) and (not m.final or m.month = any(${before}::date[]))`;
    type Written = { month: string; entities: number; computed: boolean; counted_at: string };
    const written = new Map(
      (
        await db.all<Written>(
          sql`select s.month, count(*)::int as entities, bool_or(s.computed) as computed, max(s.counted_at) as counted_at from (${shown}) s group by s.month`,
        )
      ).map((m) => [m.month, m]),
    );
    type Sum = ComplianceNumbers & { month: string | null; entity_id: string | null; course_id: string | null };
    const rows = await db.all<Sum>(sql`select s.month, s.entity_id, c.course_id, ${sums}
      from (${shown}) s join ${table} c on c.month_id = s.id where ${which} group by grouping sets ((s.month), (s.month, s.entity_id), (s.month, c.course_id))`);
    const cells = await db.all<Sum>(
      sql`select s.entity_id, c.course_id, ${sums} from (${shown}) s join ${table} c on c.month_id = s.id where s.month = ${heat} and ${which} group by s.entity_id, c.course_id`,
    );
    const place = new Map(axis.map((month, i) => [month, i]));
    const empty = () => ({ required: axis.map(() => 0), in_date: axis.map(() => 0) });
    const totals = new Map<string, Sum>();
    const byEntity = new Map<string, ReturnType<typeof empty>>();
    const byCourse = new Map<string, ReturnType<typeof empty>>();
    for (const row of rows) {
      const monthIndex = place.get(row.month ?? '');
      if (monthIndex === undefined) continue;
      if (row.entity_id === null && row.course_id === null) totals.set(row.month ?? '', row);
      const [group, id] = row.entity_id !== null ? [byEntity, row.entity_id] : [byCourse, row.course_id];
      if (id === null) continue;
      const trend = group.get(id) ?? empty();
      group.set(id, trend);
      trend.required[monthIndex] = requiredOf(row);
      trend.in_date[monthIndex] = inDateOf(row);
    }
    const courses = await titlesOf([...byCourse.keys()]);
    const column = new Map(courses.map(({ id }, i) => [id, i]));
    const heats = new Map<string, { course_required: number[]; course_in_date: number[] }>();
    for (const cell of cells) {
      const columnIndex = column.get(cell.course_id ?? '');
      if (columnIndex === undefined || cell.entity_id === null) continue;
      const row = heats.get(cell.entity_id) ?? { course_required: courses.map(() => 0), course_in_date: courses.map(() => 0) };
      heats.set(cell.entity_id, row);
      row.course_required[columnIndex] = requiredOf(cell);
      row.course_in_date[columnIndex] = inDateOf(cell);
    }
    const noCourses = { course_required: courses.map(() => 0), course_in_date: courses.map(() => 0) };
    return {
      months: axis.map((month, i): ComplianceMonth => {
        const known = written.get(month);
        const { asked, in_date, expiring, expired, missing, starter, exempt } = totals.get(month) ?? none;
        const numbers = { asked, in_date, expiring, expired, missing, starter, exempt };
        const source = !known ? 'unknown' : i === axis.length - 1 ? 'now' : known.computed ? 'computed' : 'kept';
        return { month, source, counted_at: known?.counted_at ?? null, entities: known?.entities ?? 0, ...numbers, score: scoreOfNumbers(numbers) };
      }),
      courses: courses.map((course) => ({ ...course, ...(byCourse.get(course.id) ?? empty()) })),
      entities: places.flatMap((e) => {
        const trend = byEntity.get(e.id);
        return trend ? [{ ...e, ...trend, ...(heats.get(e.id) ?? noCourses) }] : [];
      }),
      chosen: await namesIn(db, actor, filter),
    };
  };
  const nothingYet: ComplianceReport = {
    ...{ months: [], courses: [], entities: [] },
    chosen: { entities: [], roles: [], tags: [], users: [], courses: [] },
  };

  /** The organisation or tag of a drill-down, if the actor sees it, or 404; and its people (on `users u`). */
  const subjectOf = async (actor: Actor, id: string, ownOnly: boolean): Promise<{ places: Statement | null; people: Statement }> => {
    const entity = await db.one<{ id: string }>(sql`select e.id from entities e where e.id = ${id} and ${visibleEntity(actor)}`);
    if (entity && ownOnly) return { places: sql`e.id = ${id}`, people: sql`u.primary_entity_id = ${id}` };
    const below = entityAndBelow(sql`e.id = ${id}`);
    if (entity) return { places: sql`e.id in (${below})`, people: sql`u.primary_entity_id in (${below})` };
    existing(await db.one(sql`select t.id from tags t where t.id = ${id} and ${tagsSeen(actor)}`));
    return { places: null, people: sql`u.primary_entity_id in (select e.id from entities e where ${visibleEntity(actor)}) and ${marked([id])}` };
  };
  const tagsSeen = (actor: Actor): Statement =>
    actor.seesAll ? sql`true` : sql`(t.entity_id = any(${[...actor.entityIds]}::uuid[]) or t.entity_id in (${entityAndAbove(actor.place.id)}))`;
  const filterOf = ({ compliance_type, new_starters_filter, courses }: Of): Counting => ({
    ...{ compliance_type, new_starters_filter, roles: [], courses: courses?.split(',') ?? [] },
  });
  /** The end of the requested month in the actor's time zone; null: now. Throws `invalid_input` (month) for one that is not over. */
  const overOf = (actor: Actor, month: string | undefined): Over | null => {
    if (month === undefined) return null;
    const zone = actor.user.time_zone;
    const isOver = month >= '1970-01' && `${month}-01` < monthIn(now(), zone);
    if (!isOver) throw invalid('month', 'Choose a month that is over, since 1970.');
    return { month: `${month}-01`, at: endOf(`${month}-01`, zone), zone };
  };
  /** The matching rows of `compliance_months m`. */
  const rowsOf = (over: Over | null): Statement => (over ? sql`m.final and m.month = ${over.month}` : sql`not m.final`);
  /** The organisations of a condition (on `entities e`) that have no stored list of people for a month. */
  const unlistedPlaces = ({ month }: Over, which: Statement): Statement =>
    sql`select e.id from entities e where ${which} and not exists (select 1 from compliance_months m where m.entity_id = e.id and m.final and m.month = ${month} and m.listed)`;
  /** The people stored with a month for organisations of a condition (on `entities e`), limited by `more` (on `compliance_people g`). */
  const peopleIn = async (over: Over, places: Statement, filter: Counting, more: Statement, hint: string): Promise<CountedPerson[]> => {
    const which = sql`${rowsOf(over)} and m.entity_id in (select e.id from entities e where ${places}) and ${more}`;
    const people = [...(await listedByMonth(db, which)).values()].reduce((a, b) => a + b, 0);
    if (people > readAtOnce) throw tooLarge(people, readAtOnce, hint);
    return countedPeople(db, which, {
      isWanted: countedFor(filter),
      isStarterWanted: (newStarter) => isWanted(newStarter, filter.new_starters_filter),
    });
  };
  /** The people stored with a month, by tag. */
  const tagsThen = async (over: Over, places: Statement, tags: readonly string[], filter: Counting): Promise<Map<string, CountedPerson[]>> => {
    const marks = await countedTags(db, sql`${rowsOf(over)} and m.entity_id in (select e.id from entities e where ${places})`, tags);
    if (marks.length === 0) return new Map();
    const where = sql`${places} and e.id = any(${marks.map((m) => m.place)}::uuid[])`;
    const people = await peopleIn(over, where, filter, sql`true`, 'Look at the organisations instead.');
    const byPlace = Map.groupBy(people, (p) => p.place);
    const peopleByTag = new Map<string, CountedPerson[]>();
    for (const { tag_id, place, people: marked } of marks) {
      const all = byPlace.get(place) ?? [];
      const ids = new Set(marked);
      peopleByTag.set(tag_id, [...(peopleByTag.get(tag_id) ?? []), ...(marked ? all.filter((p) => ids.has(p.id)) : all)]);
    }
    return peopleByTag;
  };
  /** Those of the people stored with a month, by first job role, at organisations or with a tag, whom the actor sees today. */
  const peopleListed = async (actor: Actor, over: Over, places: Statement, tag: string | null, role: string, filter: Counting) => {
    const listed = tag
      ? ((await tagsThen(over, places, [tag], filter)).get(tag) ?? []).filter((p) => p.role_id === role)
      : await peopleIn(over, places, filter, sql`g.role_id = ${role}`, 'Look at an organisation below it.');
    const people = await db.all<{ id: string; name: string }>(
      sql`select u.id, u.name from users u where u.id = any(${listed.map((p) => p.id)}::uuid[]) and ${listedPerson(actor)}`,
    );
    const names = new Map(people.map((p) => [p.id, p.name]));
    const placeNames = await db.all<{ id: string; name: string }>(
      sql`select e.id, e.name from entities e where e.id = any(${[...new Set(listed.map((p) => p.place))]}::uuid[])`,
    );
    const placeOf = new Map(placeNames.map((e) => [e.id, e.name]));
    return listed.flatMap(({ id, place, numbers }) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name, place: placeOf.get(place) ?? '', numbers, worked_out: false }];
    });
  };
  const rolesNamed = async (ids: readonly string[]): Promise<Map<string, string>> =>
    new Map(
      (await db.all<{ id: string; name: string }>(sql`select id, name from roles where id = any(${[...ids]}::uuid[])`)).map((r) => [r.id, r.name]),
    );
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'en-GB');

  return {
    /** The report, or an empty one that is not ready while it is being counted. */
    of: async (actor: Actor, filter: ComplianceFilter, month: string | undefined): Promise<{ data: ComplianceReport; ready: boolean }> => {
      if (filter.users.length > 0 || filter.tags.length > 0) return { data: await reportOfChosen(actor, filter, { month }), ready: true };
      if (!(await isReady(actor, chosenPlaces(actor, filter.entities), true))) return { data: nothingYet, ready: false };
      return { data: await reportOfPlaces(actor, filter, month), ready: true };
    },
    /**
     * The report for a file: figures that are missing are counted first, for any number of people. Chosen people are counted without a
     * limit if nobody waits (`patient`).
     */
    whole: async (actor: Actor, filter: ComplianceFilter, patient: boolean): Promise<ComplianceReport> => {
      if (filter.users.length > 0 || filter.tags.length > 0) return reportOfChosen(actor, filter, { patient });
      const which = chosenPlaces(actor, filter.entities);
      if (!(await isReady(actor, which, false))) {
        const ids = (await db.all<{ id: string }>(sql`select e.id from entities e where ${which}`)).map((e) => e.id);
        const oldest = new Date(now().getTime() - standsMs);
        const stale = sql`not exists (select 1 from compliance_months m where m.entity_id = e.id and not m.final and m.counted_at > ${oldest})`;
        await beyondScope(() => months.countNow(sql`e.id = any(${ids}::uuid[]) and ${stale}`));
      }
      return reportOfPlaces(actor, filter, undefined);
    },
    courses: (actor: Actor) => {
      const seen = actor.seesAll
        ? sql`true`
        : sql`(r.entity_id = any(${[...actor.entityIds]}::uuid[]) or r.entity_id in (${entityAndAbove(actor.place.id)}))`;
      return db.all<{ id: string; title: string; short_title: string }>(
        sql`select c.id, c.title, c.short_title from course_titles c where c.id in (select k.course_id from compliance k join roles r on r.id = k.role_id where ${seen} and k.given) order by lower(c.title), c.id`,
      );
    },
    /** The tags that the actor sees, with the figures of the people who have them. */
    tags: async (actor: Actor, query: Of): Promise<DrillDownLine[]> => {
      const over = overOf(actor, query.month);
      const tags = await db.all<{ id: string; name: string }>(
        sql`select t.id, t.name from tags t where ${tagsSeen(actor)} order by lower(t.name), t.id`,
      );
      const ids = tags.map((t) => t.id);
      const storedByTag = over ? await tagsThen(over, visibleEntity(actor), ids, filterOf(query)) : null;
      // What is not stored with the month is computed.
      const unlisted = over ? sql`u.primary_entity_id in (${unlistedPlaces(over, visibleEntity(actor))})` : sql`true`;
      const byRole = Map.groupBy(
        await db.all<{ tag_id: string; user_id: string }>(sql`select x.tag_id, x.user_id from (select tag_id, user_id from tag_users union
            select y.tag_id, u.id from tag_entities y join entity_below b on b.above = y.entity_id join users u on u.primary_entity_id = b.below) x
          join users u on u.id = x.user_id join entities e on e.id = u.primary_entity_id
          where x.tag_id = any(${ids}::uuid[]) and ${unlisted} and ${over ? wasThere(over.at, over.zone) : sql`u.disabled_at is null`} and ${visibleEntity(actor)} limit ${chosenAtOnce * 20}`),
        (x) => x.user_id,
      );
      const groups = await countChosen(
        sql`u.id = any(${[...byRole.keys()]}::uuid[])`,
        filterOf(query),
        (person) => byRole.get(person.id)?.map((x) => x.tag_id) ?? [],
        'Look at the organisations instead.',
        { month: over },
      );
      return tags.map(({ id, name }) => {
        const counted = groups.get(id)?.counted.map((c) => c.numbers) ?? [];
        const then = storedByTag?.get(id)?.map((p) => p.numbers) ?? [];
        return lineOf(id, name, sumOf([...counted, ...then]), over && groups.has(id) ? { worked_out: true } : {});
      });
    },
    /**
     * The organisations directly below one, each with everything below it, and that one's own people; for who sees all of them, those above
     * which there is none. Null while they are being counted.
     */
    entities: async (actor: Actor, { entity, ...asked }: QueryOf<typeof drillDownEntities>): Promise<DrillDownLine[] | null> => {
      const id = entity ?? (actor.seesAll ? null : actor.place.id);
      const over = overOf(actor, asked.month);
      if (id) existing(await db.one(sql`select e.id from entities e where e.id = ${id} and ${visibleEntity(actor)}`));
      const below = id ? sql`e.id in (${entityAndBelow(sql`e.id = ${id}`)})` : sql`true`;
      if (!over && !(await isReady(actor, sql`${visibleEntity(actor)} and ${below}`, false))) return null;
      const itself = sql`e.id = ${id}::uuid`;
      const { table, which } = countsFor(filterOf(asked));
      type Row = ComplianceNumbers & { id: string; name: string; has_children: boolean };
      const rows =
        await db.all<Row>(sql`with tops as (select e.id as top, b.below from entities e join entity_below b on b.above = e.id where ${id ? sql`e.parent_id = ${id}` : sql`e.parent_id is null`} and ${visibleEntity(actor)}
          union all select e.id, e.id from entities e where ${itself})
        select e.id, e.name, (${itself}) is not true and exists (select 1 from entities k where k.parent_id = e.id) as has_children, n.* from entities e
        join (select t.top, ${sums} from tops t left join compliance_months m on m.entity_id = t.below and ${rowsOf(over)} left join ${table} c on c.month_id = m.id and ${which} group by t.top) n on n.top = e.id
        order by (${itself}) is not true, lower(e.name), e.id`);
      return rows.map(({ id: of, name, has_children, ...row }) => {
        const { asked: all, in_date, expiring, expired, missing, starter, exempt } = row;
        return lineOf(of, name, { asked: all, in_date, expiring, expired, missing, starter, exempt }, { has_children });
      });
    },
    /** The first job roles of the people of an organisation or a tag; null while they are being counted. */
    roles: async (actor: Actor, x: string, { own, ...asked }: QueryOf<typeof drillDownRoles>): Promise<DrillDownLine[] | null> => {
      const { places, people } = await subjectOf(actor, x, own === '1');
      const filter = filterOf(asked);
      const over = overOf(actor, asked.month);
      const numbers = new Map<string, ComplianceNumbers>();
      const workedOut = new Set<string>();
      if (places) {
        if (!over && !(await isReady(actor, places, false))) return null;
        const { which } = countsFor(filter);
        const rows = await db.all<
          ComplianceNumbers & { role_id: string | null }
        >(sql`select c.role_id, ${sums} from compliance_months m join compliance_role_counts c on c.month_id = m.id
          where ${rowsOf(over)} and m.entity_id in (select e.id from entities e where ${places}) and ${which} group by c.role_id`);
        for (const { role_id, ...row } of rows) if (role_id) numbers.set(role_id, row);
      } else {
        const which = over ? sql`${people} and u.primary_entity_id in (${unlistedPlaces(over, visibleEntity(actor))})` : people;
        const groups = await countChosen(which, filter, (p) => (p.role_id ? [p.role_id] : []), 'Look at the organisations instead.', {
          month: over,
        });
        const then = over ? (await tagsThen(over, visibleEntity(actor), [x], filter)).get(x) : undefined;
        const all = [
          ...[...groups].map(([id, { counted }]) => ({ id, of: sumOf(counted.map((c) => c.numbers)) })),
          ...(then ?? []).flatMap((p) => (p.role_id ? [{ id: p.role_id, of: p.numbers }] : [])),
        ];
        for (const [id, some] of Map.groupBy(all, (one) => one.id)) numbers.set(id, sumOf(some.map((one) => one.of)));
        for (const id of groups.keys()) if (over) workedOut.add(id);
      }
      const names = await rolesNamed([...numbers.keys()]);
      return [...numbers]
        .map(([id, facts]) => lineOf(id, names.get(id) ?? 'A job role that was removed', facts, workedOut.has(id) ? { worked_out: true } : {}))
        .sort(byName);
    },
    /** The people behind a figure, those with least in date first. */
    users: async (actor: Actor, { x, y }: { x: string; y: string }, { page, per_page, search, own, ...asked }: QueryOf<typeof drillDownUsers>) => {
      const { places, people } = await subjectOf(actor, x, own === '1');
      const month = overOf(actor, asked.month);
      const filter = filterOf(asked);
      const seen = places ?? visibleEntity(actor);
      // The people stored with the month; otherwise those who belonged there then, of those whom the actor sees today. Without stored
      // people, today's tags are used.
      const then = month ? await peopleListed(actor, month, seen, places ? null : x, y, filter) : [];
      const unlisted = month ? unlistedPlaces(month, seen) : null;
      const were = unlisted && places ? peopleThen(month?.at ?? now(), unlisted, listedPerson(actor)) : undefined;
      const inPlace = unlisted ? sql`${people} and u.primary_entity_id in (${unlisted})` : people;
      const groups = await countChosen(
        were ? sql`u.role_id = ${y}` : sql`${listedPerson(actor)} and u.role_id = ${y} and ${inPlace}`,
        filter,
        (person) => [person.id],
        'Look at an organisation below it.',
        { month, were },
      );
      const role = (await rolesNamed([y])).get(y) ?? null;
      const words = search?.trim().toLowerCase() ?? '';
      const workedOut = [...groups.values()].flatMap(({ people: [person], counted }) =>
        person
          ? [
              {
                id: person.id,
                name: person.name,
                place: person.place.name,
                numbers: sumOf(counted.map((c) => c.numbers)),
                worked_out: month !== null,
              },
            ]
          : [],
      );
      const lines = [...then, ...workedOut].flatMap(({ id, name, place, numbers, worked_out }) =>
        name.toLowerCase().includes(words) ? [lineOf(id, name, numbers, { ...{ role, place }, ...(worked_out ? { worked_out } : {}) })] : [],
      );
      lines.sort((a, b) => (a.score ?? 101) - (b.score ?? 101) || byName(a, b));
      const asPage = { page, per_page };
      return {
        data: lines.slice((page - 1) * per_page, page * per_page),
        ...pagesOf(`/api/reports/drill-down/${x}/${y}/users`, asPage, lines.length),
      };
    },
  };
};

import { type courseFields, type FilterList, type FilterNames, filterLists, type peopleFields, type ReportFilter } from '#contract/reports/filter.ts';
import { listWords } from '#contract/reports/filter-words.ts';
import type { Actor } from '#server/actor.ts';
import { entityAndAbove, entityAndBelow, hasCourseHere, listedPerson, marked, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

/** The people and courses of a report filter. */
export type PeopleFilter = Pick<ReportFilter, (typeof peopleFields)[number]>;
export type CoursesFilter = Pick<ReportFilter, (typeof courseFields)[number]>;

const among = (column: Statement, ids: readonly string[]): Statement => sql`${column} = any(${[...ids]}::uuid[])`;
const every = (conditions: readonly (Statement | false)[]): Statement =>
  conditions.filter((c) => c !== false).reduce((a, b) => sql`${a} and ${b}`, sql`true`);

/** Whether `users u` is one of the people selected by the lists of a filter: visible to the actor, and not left. */
export const namedPeople = (actor: Actor, { entities, roles, tags, users }: Pick<PeopleFilter, 'entities' | 'roles' | 'tags' | 'users'>): Statement =>
  every([
    ...[listedPerson(actor), sql`u.disabled_at is null`],
    users.length > 0 && among(sql`u.id`, users),
    entities.length > 0 && sql`u.primary_entity_id in (${entityAndBelow(among(sql`e.id`, entities))})`,
    roles.length > 0 && sql`u.id in (select h.user_id from held_roles h where ${among(sql`h.role_id`, roles)})`,
    tags.length > 0 && marked(tags),
  ]);

/** Whether `users u` at `entities e` matches a filter. */
export const chosenPeople = (actor: Actor, filter: PeopleFilter, now: Date): Statement => {
  const { new_starters_filter: starters, inspectable, care_certificate_filter: care } = filter;
  const isStarter = sql`(u.started_on + e.starter_period_days >= (${now}::timestamptz at time zone e.time_zone)::date)`;
  // One condition for both tables, which joins: two that are joined by `or` are asked once a person.
  const complete = sql`exists (select 1 from (select c.user_id from care_certificates c where c.approved_at is not null
    union all select h.user_id from historical_certificates h) x where x.user_id = u.id)`;
  const begun = sql`exists (select 1 from care_certificates c where c.user_id = u.id and c.approved_at is null)`;
  return every([
    namedPeople(actor, filter),
    starters === 'exclude_new_starters' && sql`not ${isStarter}`,
    starters === 'new_starters_only' && isStarter,
    inspectable !== 'all' && sql`exists (select 1 from roles x where x.id = u.role_id and x.inspectable = ${inspectable === 'inspectable'})`,
    filter.never_logged_in_only && sql`not exists (select 1 from auth_events v where v.user_id = u.id and v.kind = 'signed_in')`,
    care === 'complete' && complete,
    care === 'in_progress' && sql`(${begun} and not ${complete})`,
  ]);
};

/** Whether `courses k` is one of a filter's courses; null if it selects none. */
export const chosenCourses = ({ courses, pathways, filter_by }: CoursesFilter): Statement | null => {
  if (filter_by === 'pathways' && pathways.length > 0)
    return sql`k.id in (select s.course_id from pathway_steps s where ${among(sql`s.pathway_id`, pathways)})`;
  return filter_by === 'courses' && courses.length > 0 ? among(sql`k.id`, courses) : null;
};

/** The names of the items selected in a filter's lists, of those that the actor may see. */
export const namesIn = async <F extends Partial<Pick<ReportFilter, FilterList>>>(
  on: Db,
  actor: Actor,
  filter: F,
): Promise<Pick<FilterNames, Extract<keyof F, FilterList>>> => {
  const within = (alias: Statement): Statement =>
    actor.seesAll
      ? sql`true`
      : sql`(${alias}.entity_id = any(${[...actor.entityIds]}::uuid[]) or ${alias}.entity_id in (${entityAndAbove(actor.place.id)}))`;
  const courses = sql`select k.id, k.title as name from courses k where ${hasCourseHere(actor)} and k.id`;
  const from: Record<FilterList, Statement> = {
    entities: sql`select e.id, e.name from entities e where ${visibleEntity(actor)} and e.id`,
    roles: sql`select r.id, r.name from roles r where ${within(sql`r`)} and r.id`,
    tags: sql`select t.id, t.name from tags t where ${within(sql`t`)} and t.id`,
    users: sql`select u.id, u.name from users u where ${visiblePerson(actor)} and u.id`,
    pathways: sql`select p.id, p.name from pathways p where ${within(sql`p`)} and p.id`,
    ...{ courses, certificates: courses },
  };
  const all: Partial<FilterNames> = {};
  for (const list of filterLists) {
    const ids = filter[list];
    if (ids) all[list] = ids.length === 0 ? [] : await on.all(sql`${from[list]} = any(${[...ids]}::uuid[]) order by 2, 1`);
  }
  return all as Pick<FilterNames, Extract<keyof F, FilterList>>;
};

/** The names of a filter's items. Throws `invalid_input` if one is not visible to the actor, or the period ends before it begins. */
export const knownNames = async (on: Db, actor: Actor, filter: ReportFilter): Promise<FilterNames> => {
  if (filter.from_date && filter.to_date && filter.from_date > filter.to_date)
    throw refused('to_date', 'The last day of the period must not be before the first.');
  const names = await namesIn(on, actor, filter);
  for (const list of filterLists)
    if (new Set(filter[list]).size > names[list].length)
      throw refused(list, `Some of the chosen ${listWords[list]} do not exist any more, or you may not see them. Take them out of the choices.`);
  return names;
};
const refused = (field: string, message: string) => new ProductError('invalid_input', { message, fields: { [field]: [message] } });

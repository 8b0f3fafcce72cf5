import type { QueryOf } from '#contract/api/endpoint.ts';
import type { sorts } from '#contract/api/sorts.ts';
import type { listUsers } from '#contract/api/users.ts';
import { can } from '#contract/can.ts';
import type { PeopleStanding } from '#contract/entities/dashboard.ts';
import type { PersonNote, UserRow } from '#contract/entities/user.ts';
import { existing, orderBy, pagePart, pagesOf, patternOf, reference } from '#server/db/rows.ts';
import { entityAndBelow, listedPerson, marked } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { freshen } from '#server/features/dashboards/figures.service.ts';
import { eventCountsOf, noCounts } from '#server/features/learning/events.rows.ts';
import type { Actor } from '#server/actor.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** A person as stored. */
export type PersonRow = Omit<UserRow, 'courses' | 'uuid'>;
const columns = sql`u.id, u.name, u.email, u.is_trainer, u.disabled_at, u.started_on, u.leave_from, u.leave_until, u.password_hash is not null as has_password,
  json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as primary_entity,
  ${reference('roles', sql`u.role_id`)} as role,
  coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name) order by lower(r.name), r.id) from user_roles h join roles r on r.id = h.role_id where h.user_id = u.id), '[]') as more_roles,
  ${reference('types', sql`u.type_id`)} as type`;
const personRows = (on: Db, which: Statement): Promise<PersonRow[]> =>
  on.all<PersonRow>(sql`select ${columns} from users u join entities e on e.id = u.primary_entity_id where ${which}`);
/** The person with this id, within `seen`, or 404. */
export const personOf = async (on: Db, id: string, seen: Statement): Promise<PersonRow> =>
  existing((await personRows(on, sql`u.id = ${id} and ${seen}`))[0]);

/** People with their progress on courses. */
export const withCounts = async (on: Db, rows: readonly PersonRow[], now: Date): Promise<UserRow[]> => {
  const ids = rows.map((r) => r.id);
  const counts = await eventCountsOf(on, ids, now);
  return rows.map((r) => ({ ...r, uuid: r.id, courses: counts.get(r.id) ?? noCounts }));
};

/** Figures just counted for another page of the list are recent enough. */
const samePageMs = 5000;

type Query = QueryOf<typeof listUsers>;
const orders: Record<(typeof sorts.people)[number], Statement> = {
  name: sql`u.name`,
  place: sql`(select p.name from entities p where p.id = u.primary_entity_id)`,
  role: sql`coalesce((select r.name from roles r where r.id = u.role_id), '')`,
  started_on: sql`u.started_on`,
  standing: sql`coalesce((select -1000 * f.overdue - f.turn_red[1] from person_figures f where f.user_id = u.id), 0)`,
};
/** The people of a figure; nobody has figures of whom nothing is required in time. */
const standings: Record<PeopleStanding, Statement> = {
  overdue: sql`u.id in (select f.user_id from person_figures f where f.overdue > 0)`,
  soon: sql`u.id in (select f.user_id from person_figures f where f.turn_red[1] > 0)`,
  starters: sql`u.id in (select f.user_id from person_figures f where f.starter)`,
  none: sql`u.id not in (select f.user_id from person_figures f where f.overdue > 0 or f.turn_red[1] > 0 or f.starter)`,
};
const inState = { active: sql`u.disabled_at is null`, left: sql`u.disabled_at is not null` };
/** The condition for `actingAs`: an organisation at or below one's own, or any with `entity.act_as` that one can see. */
export const actingAs = async (on: Db, actor: Actor, slug: string | undefined): Promise<Statement> => {
  if (!slug) return sql`true`;
  const entity = await on.one<{ id: string }>(sql`select id from entities where slug = ${slug}`);
  const isOwnPlace = entity !== undefined && entity.id === actor.place.id;
  const allowed = entity !== undefined && (actor.seesAll || isOwnPlace || (can(actor.user, 'entity.act_as') && actor.entityIds.includes(entity.id)));
  if (!allowed) throw new ProductError('forbidden');
  return sql`u.primary_entity_id in (${entityAndBelow(sql`e.id = ${entity.id}`)})`;
};
const narrowed = (query: Query): Statement => {
  const trainer = query.is_trainer ? sql`u.is_trainer = ${query.is_trainer === '1'}` : sql`true`;
  const place = query.entity ? sql`u.primary_entity_id in (${entityAndBelow(sql`e.slug = ${query.entity}`)})` : sql`true`;
  const role = query.role_id ? sql`u.id in (select h.user_id from held_roles h where h.role_id = ${query.role_id})` : sql`true`;
  const type = query.type_id ? sql`u.type_id = ${query.type_id}` : sql`true`;
  const tag = query.tag_id ? marked([query.tag_id]) : sql`true`;
  const these = query.ids ? sql`u.id = any(${query.ids.split(',')}::uuid[])` : sql`true`;
  const standing = query.standing ? sql`u.disabled_at is null and ${standings[query.standing]}` : sql`true`;
  return sql`${trainer} and ${place} and ${role} and ${type} and ${tag} and ${these} and ${standing}`;
};
/** A page of the people whom the actor sees, and the numbers of active people and leavers. */
export const listPeople = async (services: Pick<Services, 'db' | 'peopleTotals' | 'now' | 'jobs'>, actor: Actor, query: Query) => {
  const { db, peopleTotals, now } = services;
  if (query.standing || query.sort?.endsWith('standing')) await freshen(services, actor, samePageMs);
  const state = query.state ? inState[query.state] : sql`true`;
  const pattern = patternOf(query.search);
  const where = sql`${listedPerson(actor)} and ${await actingAs(db, actor, query.actingAs)} and ${narrowed(query)}`;
  const order = orderBy(query.sort ?? 'name', orders, sql`u.id`);
  const page = sql`order by ${order} ${pagePart(query)}`;
  // The matches of a search are materialised once, counted and sorted; without a search, people are read in index order.
  const found = pattern
    ? db.one<{
        active: number;
        left: number;
        ids: string[];
      }>(sql`with u as materialized (select u.id, u.name, u.started_on, u.primary_entity_id, u.role_id, u.disabled_at from people_found(${pattern}) u where ${where})
        select (select count(*)::int from u where ${inState.active}) as active, (select count(*)::int from u where ${inState.left}) as left,
          array(select u.id from u where ${state} ${page}) as ids`)
    : undefined;
  const counted = (which: 'active' | 'left') =>
    found
      ? found.then((f) => f?.[which] ?? 0)
      : peopleTotals.count(db, sql`select count(*)::int as n from users u where ${where} and ${inState[which]}`);
  const onPage = async () => {
    const which = found ? sql`u.id = any(${(await found)?.ids ?? []}::uuid[]) order by ${order}` : sql`${where} and ${state} ${page}`;
    return personRows(db, which);
  };
  const [active, left, rows] = await Promise.all([counted('active'), counted('left'), onPage()]);
  const counts = { '': active + left, active, left };
  const pages = pagesOf('/users', query, counts[query.state ?? '']);
  return { data: await withCounts(db, rows, now()), ...pages, meta: { ...pages.meta, counts } };
};

/** Notes about people, with whether the actor wrote them. */
export const noteRows = (on: Db, actor: Actor, which: Statement): Promise<PersonNote[]> =>
  on.all<PersonNote>(sql`select n.id, n.body, ${instant(sql`n.created_at`)} as created_at, json_build_object('id', a.id, 'name', a.name) as author,
      n.author_id = ${actor.user.uuid} as own
    from person_notes n join person_names a on a.id = n.author_id where ${which} order by n.created_at desc, n.id limit 200`);

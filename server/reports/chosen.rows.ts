import { type ChosenList, type ChosenNames, chosenListNames, type GoneChoice } from '#contract/reports/chosen.ts';
import type { Actor } from '#server/actor.ts';
import { entityAndAbove, hasCourseHere, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

type Fields = Record<string, unknown>;
type Found = { names: ChosenNames; gone: GoneChoice[]; filter: Fields };

/** The items of each list that the actor may see, as `id` and `name`; leavers are excluded. */
const seen = (actor: Actor): Record<ChosenList, Statement> => {
  const made = (t: Statement) =>
    actor.seesAll ? sql`true` : sql`(${t}.entity_id = any(${[...actor.entityIds]}::uuid[]) or ${t}.entity_id in (${entityAndAbove(actor.place.id)}))`;
  return {
    entities: sql`select e.id, e.name from entities e where ${visibleEntity(actor)}`,
    roles: sql`select r.id, r.name from roles r where ${made(sql`r`)}`,
    tags: sql`select t.id, t.name from tags t where ${made(sql`t`)}`,
    users: sql`select u.id, u.name from users u where ${visiblePerson(actor)} and u.disabled_at is null`,
    courses: sql`select k.id, k.title as name from courses k where ${hasCourseHere(actor)}`,
    pathways: sql`select p.id, p.name from pathways p where ${made(sql`p`)}`,
  };
};

/** For several filters: the names of the selected items, those that no longer exist, and the filter without them. One statement per list. */
export const chosenOf = async (on: Db, actor: Actor, filters: readonly Fields[]): Promise<Found[]> => {
  const idsOf = (filter: Fields, list: ChosenList): string[] => (Array.isArray(filter[list]) ? (filter[list] as string[]) : []);
  const from = seen(actor);
  const names = {} as Record<ChosenList, Map<string, string>>;
  for (const list of chosenListNames) {
    const ids = [...new Set(filters.flatMap((f) => idsOf(f, list)))];
    const rows =
      ids.length === 0
        ? []
        : await on.all<{ id: string; name: string }>(sql`select x.id, x.name from (${from[list]}) x where x.id = any(${ids}::uuid[])`);
    names[list] = new Map(rows.map((r) => [r.id, r.name]));
  }
  return filters.map((filter) => {
    const found: Found = { names: {}, gone: [], filter: { ...filter } };
    for (const list of chosenListNames) {
      const ids = idsOf(filter, list);
      if (ids.length === 0) continue;
      const there = ids.filter((id) => names[list].has(id));
      found.names[list] = there.map((id) => ({ id, name: names[list].get(id) as string }));
      if (there.length === ids.length) continue;
      found.gone.push({ list, count: ids.length - there.length });
      found.filter[list] = there;
    }
    return found;
  });
};

import type { activeUsers, signInMetrics } from '#contract/api/auth-events.ts';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import { type ActiveUser, longestMetrics, type MetricPeriod, type SignInMetrics } from '#contract/entities/active-user.ts';
import type { Actor } from '#server/actor.ts';
import { contains, pageOf } from '#server/db/rows.ts';
import { listedPerson } from '#server/db/seen.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { isActive, neverSignedIn, seenAt } from '#server/features/account/activity.rows.ts';
import { entitiesOf } from '#server/features/entities/entities.service.ts';
import { actingAs } from '#server/features/users/users.rows.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const dayMs = 86_400_000;
const units: Record<MetricPeriod, string> = { h: 'hour', d: 'day', w: 'week', m: 'month' };

/** Who uses the product, and who never has. */
export const activeUsersOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  list: async (actor: Actor, { entityIds, deep, actingAs: slug, search, state, ...asked }: QueryOf<typeof activeUsers>) => {
    const ids = entityIds?.split(',') ?? [];
    const below = deep === '1' ? sql`select b.below from entity_below b where b.above = any(${ids}::uuid[])` : sql`select unnest(${ids}::uuid[])`;
    const places = ids.length > 0 ? sql`u.primary_entity_id in (${below})` : deep === '1' ? sql`true` : sql`u.primary_entity_id = ${actor.place.id}`;
    const which = state === 'active' ? isActive(now()) : neverSignedIn;
    const where = sql`${listedPerson(actor)} and ${await actingAs(db, actor, slug)} and ${places} and u.disabled_at is null and ${which} and ${contains([sql`u.name`, sql`u.email`], search)}`;
    return pageOf<ActiveUser>(db, '/api/auth-events/active', asked, {
      columns: sql`u.id, u.name, u.email, coalesce(r.name, '') as role, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as place,
        ${instant(sql`${seenAt}`)} as seen_at, u.password_hash is not null as has_password`,
      from: sql`users u join entities e on e.id = u.primary_entity_id left join roles r on r.id = u.role_id`,
      ...{ where, order: state === 'active' ? sql`${seenAt} desc nulls last, u.id` : sql`u.name, u.id` },
    });
  },
  metrics: async (
    actor: Actor,
    idOrSlug: string,
    { fromDate, toDate, period, deep, entity: named }: BodyOf<typeof signInMetrics>,
  ): Promise<SignInMetrics> => {
    const entity = await entitiesOf({ now }).found(db, actor, idOrSlug);
    if (named && named !== entity.id && named !== entity.slug) throw invalid('entity', 'This is another organisation than the address names.');
    const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
    if (to <= from) throw invalid('toDate', 'The end is before the beginning.');
    if (to - from > longestMetrics[period] * dayMs) throw invalid('fromDate', `Choose at most ${longestMetrics[period]} days.`);
    const places: Statement = deep
      ? sql`u.primary_entity_id in (select b.below from entity_below b where b.above = ${entity.id})`
      : sql`u.primary_entity_id = ${entity.id}`;
    const seen = sql`${places} and ${listedPerson(actor)}`;
    const unit = units[period];
    const zone = actor.user.time_zone;
    type Row = { at: string | null; people: number; sign_ins: number };
    const rows = await db.all<Row>(sql`with found as (select u.id, date_trunc(${unit}, v.at at time zone ${zone}) at time zone ${zone} as at
        from auth_events v join users u on u.id = v.user_id where v.kind = 'signed_in' and v.at >= ${fromDate} and v.at < ${toDate} and ${seen}),
      counted as (select at, count(distinct id)::int as people, count(*)::int as sign_ins from found group by grouping sets ((at), ())),
      times as (select date_trunc(${unit}, t) at time zone ${zone} as at
        from generate_series(date_trunc(${unit}, ${fromDate}::timestamptz at time zone ${zone}), (${toDate}::timestamptz - interval '1 millisecond') at time zone ${zone}, ${`1 ${unit}`}::interval) t)
      select ${instant(sql`t.at`)} as at, coalesce(c.people, 0) as people, coalesce(c.sign_ins, 0) as sign_ins from (select distinct at from times) t left join counted c on c.at = t.at
      union all select null, c.people, c.sign_ins from counted c where c.at is null order by at`);
    const whole = await db.one<{ of: number; never: number }>(sql`select count(*)::int as of, (count(*) filter (where ${neverSignedIn}))::int as never
      from users u where u.disabled_at is null and ${seen}`);
    const total = rows.find((r) => r.at === null);
    return {
      ...{ people: total?.people ?? 0, sign_ins: total?.sign_ins ?? 0, of: whole?.of ?? 0, never: whole?.never ?? 0 },
      points: rows.flatMap(({ at, people, sign_ins }) => (at === null ? [] : [{ at, people, sign_ins }])),
    };
  },
});

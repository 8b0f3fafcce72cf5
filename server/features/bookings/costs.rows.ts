import type { BookingCost, CostLine } from '#contract/entities/booking.ts';
import { type Places, placesLines, placesTotal, unpricedPlaces } from '#contract/rules/booking-cost.ts';
import { isClient, orderNumber } from '#server/features/training-orders/orders.rows.ts';
import type { Actor } from '#server/actor.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

type Session = { session_id: string; title: string; on: string };
type Bought = BookingCost['bought'][number];
export type SessionPlaces = Session &
  Omit<Places, 'bought'> & { booking_id: string; held: boolean; orders: { number: string | null; places: number }[] };

/**
 * The people of bookings `b` on sessions `t` that are not cancelled, by booking and session. Read beyond the caller's scope, so that both
 * sides count the same people, including those who have since moved; only the client gets the number of an order.
 */
export const placesOf = (on: Db, actor: Actor, where: Statement): Promise<SessionPlaces[]> => {
  const orders = sql`coalesce((select json_agg(json_build_object('number', x.number, 'places', x.n) order by x.number) from (
      select case when ${isClient(actor)} then ${orderNumber(sql`o.no`)} end as number, count(*)::int as n from session_delegates h
        join training_licences f on f.id = h.licence_id join training_orders o on o.id = f.order_id
      where h.booking_id = b.id and h.session_id = t.id and h.removed_at is null and h.same_as is null group by 1) x), '[]')`;
  return on.all<SessionPlaces>(sql`select b.id as booking_id, t.id as session_id, k.title, t.date::text as "on",
      register_counts(t.id) as held, count(*)::int as people, ${orders} as orders,
      (select json_build_object('per_person_pence', p.per_person_pence, 'per_session_pence', p.per_session_pence, 'vat_rate', p.vat_rate::float8)
        from booking_prices p where p.booking_id = b.id and p.session_id = t.id) as price,
      b.number = (select min(y.number) from session_delegates x join bookings y on y.id = x.booking_id
        where x.session_id = t.id and x.removed_at is null and x.same_as is null and y.client_id = b.client_id) as "paysSession"
    from bookings b join session_delegates d on d.booking_id = b.id and d.removed_at is null and d.same_as is null
      join training_sessions t on t.id = d.session_id and t.cancelled_at is null join course_titles k on k.id = t.course_id
    where ${where} group by b.id, t.id, k.title order by t.date, t.start_time, t.id, b.number`);
};

/** What sessions cost, their prepaid places, and the places that have no price. */
export const costOf = (sessions: readonly SessionPlaces[]): BookingCost => {
  const about = ({ session_id, title, on }: Session): Session => ({ session_id, title, on });
  const counted = sessions.map((s) => ({ ...s, bought: s.orders.reduce((sum, order) => sum + order.places, 0) }));
  const lines = counted.flatMap((s) => placesLines(s).map((line): CostLine => ({ ...about(s), ...line, held: s.held })));
  return {
    lines,
    bought: counted.flatMap((s) => s.orders.map((order): Bought => ({ ...about(s), ...order }))),
    unpriced: counted.flatMap((s) => (unpricedPlaces(s) > 0 ? [{ ...about(s), places: unpricedPlaces(s) }] : [])),
    ...placesTotal(lines),
  };
};

/** The description of a line, as shown on an invoice. */
export const lineTitle = ({ of, title }: Pick<CostLine, 'of' | 'title'>): string => (of === 'session' ? `${title}, the session` : title);

/** What that many more people on sessions of one provider would cost a client today. Read beyond scope: price lists belong to the provider. */
export const placesWanted = async (
  on: Db,
  { provider, client }: { provider: string; client: string },
  requested: readonly { session_id: string; people: number }[],
  now: Date,
): Promise<SessionPlaces[]> => {
  const ids = requested.map((w) => w.session_id);
  const [sessions, left] = await Promise.all([
    on.all<
      Session & { course_id: string; price: Places['price']; paysSession: boolean }
    >(sql`select t.id as session_id, k.title, t.date::text as "on", t.course_id,
        (select json_build_object('per_person_pence', p.per_person_pence, 'per_session_pence', p.per_session_pence, 'vat_rate', p.vat_rate::float8)
          from training_prices p where p.entity_id = t.entity_id and p.course_id = t.course_id and p.valid_from <= t.date order by p.valid_from desc limit 1) as price,
        not exists (select 1 from session_delegates x join bookings y on y.id = x.booking_id
          where x.session_id = t.id and x.removed_at is null and x.same_as is null and y.client_id = ${client}) as "paysSession"
      from training_sessions t join course_titles k on k.id = t.course_id where t.id = any(${ids}::uuid[]) order by t.date, t.start_time, t.id`),
    on.all<{ course_id: string; places: number }>(sql`select course_id, places from bought_places(${provider}, ${client}, ${now}::timestamptz)`),
  ]);
  const bought = new Map(left.map((l) => [l.course_id, l.places]));
  return sessions.map(({ course_id, ...session }) => {
    const people = requested.find((w) => w.session_id === session.session_id)?.people ?? 0;
    const places = Math.min(people, bought.get(course_id) ?? 0);
    bought.set(course_id, (bought.get(course_id) ?? 0) - places);
    return { ...session, booking_id: '', held: false, people, orders: places > 0 ? [{ number: null, places }] : [] };
  });
};

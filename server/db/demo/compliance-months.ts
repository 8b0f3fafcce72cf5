import { type Db, sql } from '#server/db/sql.ts';

/** How many months of history the demo has, and the share of due training that was in date in each: a plausible year of a care group. */
const shares = {
  house: [71, 74, 78, 83, 85, 84, 79, 72, 76, 84, 89, 91],
  other: [88, 87, 89, 84, 78, 74, 70, 73, 77, 80, 79, 83],
} as const;

/** The past months, as if they had been written when they ended: of today's people, with ups and downs of each service and course. */
export const fillWithComplianceMonths = async (tx: Db, now: Date): Promise<void> => {
  const n = shares.house.length;
  await tx.run(sql`insert into compliance_months (entity_id, month, final, listed, people, counted_at)
    select e.id, m.month, true, true, (select count(*) from users u where u.primary_entity_id = e.id), m.month + interval '1 month 7 minutes'
    from entities e cross join lateral (
      select (date_trunc('month', ${now}::timestamptz at time zone e.time_zone) - make_interval(months => i))::date as month from generate_series(1, ${n}::int) i) m`);
  await tx.run(sql`insert into compliance_role_counts (month_id, role_id, held, course_id, type, new_starter, asked, in_date, expiring, expired, missing, starter, exempt)
    select m.id, g.role_id, array[g.role_id], k.course_id, k.type, false, g.people, v.green - v.soon, v.soon, v.red - v.red / 3, v.red / 3, 0, 0
    from compliance_months m join entities e on e.id = m.entity_id
    join (select primary_entity_id, role_id, count(*)::int as people from users where role_id is not null group by primary_entity_id, role_id) g on g.primary_entity_id = e.id
    join compliance k on k.role_id = g.role_id join courses c on c.id = k.course_id
    cross join lateral (select (extract(year from age(date_trunc('month', ${now}::timestamptz at time zone e.time_zone), m.month)) * 12
      + extract(month from age(date_trunc('month', ${now}::timestamptz at time zone e.time_zone), m.month)))::int as ago) a
    cross join lateral (select case when e.slug like '%house' then (${[...shares.house]}::int[])[${n + 1}::int - a.ago] else (${[...shares.other]}::int[])[${n + 1}::int - a.ago] end as share) s
    -- Derived from the course's id, so that every demo has the same ups and downs.
    cross join lateral (select greatest(0, least(g.people, round(g.people * (s.share + 14 * sin(hashtext(c.title) % 97 + a.ago)) / 100.0)))::int as green) w
    cross join lateral (select w.green, w.green / 8 as soon, g.people - w.green as red) v`);
  await tx.run(sql`insert into compliance_counts (month_id, course_id, type, new_starter, asked, in_date, expiring, expired, missing, starter, exempt)
    select month_id, course_id, type, new_starter, sum(asked), sum(in_date), sum(expiring), sum(expired), sum(missing), sum(starter), sum(exempt)
    from compliance_role_counts group by month_id, course_id, type, new_starter`);
  // The people behind the counts: for each course the first ones are in date, beginning with another person for each course.
  await tx.run(sql`insert into compliance_people (month_id, role_id, held, new_starter, people, courses, types, states)
    select c.month_id, c.role_id, c.held, c.new_starter, p.people, array_agg(c.course_id order by c.course_id), array_agg(c.type order by c.course_id),
      (select string_agg(set_byte('\\x00'::bytea, 0, case when r.turn < d.in_date then 1 when r.turn < d.in_date + d.expiring then 2
          when r.turn < d.in_date + d.expiring + d.expired then 3 else 4 end), ''::bytea order by n.no, d.course_id)
        from generate_series(0, cardinality(p.people) - 1) n (no)
        join compliance_role_counts d on d.month_id = c.month_id and d.role_id = c.role_id
        cross join lateral (select (n.no + abs(hashtext(d.course_id::text) % 97)) % cardinality(p.people) as turn) r)
    from compliance_role_counts c join compliance_months m on m.id = c.month_id
    cross join lateral (select array_agg(u.id order by u.id) as people from users u where u.primary_entity_id = m.entity_id and u.role_id = c.role_id) p
    group by c.month_id, c.role_id, c.held, c.new_starter, p.people`);
  await tx.run(sql`insert into compliance_tags (month_id, tag_id, people)
    select y.month_id, y.tag_id, case when bool_or(y.user_id is null) then null else array_agg(y.user_id order by y.user_id) end
    from (select g.month_id, x.tag_id, x.user_id from compliance_people g cross join unnest(g.people) p (id) join tag_users x on x.user_id = p.id
      union all select m.id, t.tag_id, null from compliance_months m join entity_below b on b.below = m.entity_id join tag_entities t on t.entity_id = b.above) y
    group by y.month_id, y.tag_id`);
};

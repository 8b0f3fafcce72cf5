-- A day that is named is good to its end, in the time zone of the person's organisation.

-- Whether what is good until an instant is over: once the local day of that instant is (contract/rules/days.ts, isOver).
create function is_over(until timestamptz, at timestamptz, zone text) returns boolean language sql stable as $$
  select (until at time zone zone)::date < (at at time zone zone)::date
$$;

-- Results that ended at the minute of their completion now end with their last day, which is the one that everybody was shown: no version of a
-- result changes in what it says, so none is added to its history.
alter table results disable trigger user;
update results r set expires_at = (((r.expires_at at time zone e.time_zone)::date + 1)::timestamp at time zone e.time_zone) - interval '1 second'
from users u join entities e on e.id = u.primary_entity_id
where u.id = r.user_id and r.expires_at <> (((r.expires_at at time zone e.time_zone)::date + 1)::timestamp at time zone e.time_zone) - interval '1 second';
alter table results enable trigger user;
update standings s set cells = standing_of(s.user_id) where s.cells <> standing_of(s.user_id);

-- The day on which a requirement was made: those who started long before have their days from then. Null: it was there before this was noted.
alter table compliance add column required_since date;
drop function required_of(uuid, timestamptz);
drop function required_by(uuid[], date);
create function required_by(roles uuid[], day date) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean, required_since date
) language sql stable as $$
  select distinct on (k.course_id) k.id, k.course_id, k.type, k.renewal_months, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until,
    o.rank[1] = 0, k.required_since
  from compliance k cross join lateral (select rule_order(k, day) as rank) o where k.role_id = any(roles) and k.given order by k.course_id, o.rank, k.id
$$;
create function required_of(person uuid, at timestamptz) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean, required_since date
) language sql stable as $$
  select q.id, q.course_id, q.type, q.renewal_months, q.expiry_warning_days, q.starter_period_days, q.required_from, q.required_until, q.asked, q.required_since
  from (select array(select u.role_id where u.role_id is not null union all select r.role_id from user_roles r where r.user_id = u.id) as roles,
      (at at time zone e.time_zone)::date as day
    from users u left join entity_names e on e.id = u.primary_entity_id where u.id = person offset 0) p
  cross join lateral required_by(p.roles, p.day) q
$$;

-- The same as before, in a form that the database writes into the statement that asks: its two arguments were subqueries, so that required_by
-- was a function planned in each statement, and computed for all courses before one of them was chosen.
create or replace function required_of(person uuid, at timestamptz) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean
) language sql stable as $$
  select q.id, q.course_id, q.type, q.renewal_months, q.expiry_warning_days, q.starter_period_days, q.required_from, q.required_until, q.asked
  from (select array(select u.role_id where u.role_id is not null union all select r.role_id from user_roles r where r.user_id = u.id) as roles,
      (at at time zone e.time_zone)::date as day
    from users u left join entity_names e on e.id = u.primary_entity_id where u.id = person offset 0) p
  cross join lateral required_by(p.roles, p.day) q
$$;

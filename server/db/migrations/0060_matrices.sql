-- A matrix that somebody asked for: whose training, which courses. What it shows is computed whenever it is looked at, by whichever
-- server that happens to be.
create table matrices (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  place_id uuid not null references entities (id) on delete cascade, -- the organisation that they acted for
  filter jsonb not null,
  created_at timestamptz not null
);
create index matrices_user on matrices (user_id, created_at);
create index matrices_created on matrices (created_at);
select protect('matrices', 'user_id = (select scope_user())');

-- What job roles ask for on a day; with several the strictest rule of a course counts (rule_order).
create function required_by(roles uuid[], day date) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean
) language sql stable as $$
  select distinct on (k.course_id) k.id, k.course_id, k.type, k.renewal_months, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until, o.rank[1] = 0
  from compliance k cross join lateral (select rule_order(k, day) as rank) o where k.role_id = any(roles) order by k.course_id, o.rank, k.id
$$;
create or replace function required_of(person uuid, at timestamptz) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean
) language sql stable as $$
  select * from required_by(
    array(select u.role_id from users u where u.id = person and u.role_id is not null union select r.role_id from user_roles r where r.user_id = person),
    (select (at at time zone e.time_zone)::date from users u join entity_names e on e.id = u.primary_entity_id where u.id = person))
$$;

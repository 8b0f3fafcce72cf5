-- What an organisation says of its courses, there and below: which others count as well (a higher level covers a lower one: it is directed),
-- and which two parts a course is made of (a part may be the course itself). Of the parts what the nearest organisation says holds.
create table course_links (
  entity_id uuid not null references entities (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  kind text not null check (kind in ('alternative', 'theory', 'practical')),
  other_id uuid not null references courses (id) on delete cascade,
  primary key (entity_id, course_id, kind, other_id),
  check (kind <> 'alternative' or course_id <> other_id)
);
create unique index course_links_part on course_links (entity_id, course_id, kind) where kind <> 'alternative';
create index course_links_course on course_links (course_id);
create index course_links_other on course_links (other_id);
create policy reach on course_links for select using (exists (select 1 from scope_reach s where s.id = course_links.entity_id));
create policy added on course_links for insert with check (exists (select 1 from scope_own s where s.id = course_links.entity_id));
create policy removed on course_links for delete using (exists (select 1 from scope_own s where s.id = course_links.entity_id));
alter table course_links enable row level security;
grant select, insert, delete on course_links to lantern_scoped;

-- The first and the last day on which a job role asks for a course; none: always.
alter table compliance add column required_from date, add column required_until date, add check (required_from <= required_until);

-- Of several rules of one course for somebody the least counts: what is asked for on this day before what is not yet and what is not any more,
-- then primary before secondary, then what has to be renewed soonest.
create function rule_order(rule compliance, today date) returns integer[] language sql immutable as $$
  select array[
    case when rule.required_until < today then 2 when rule.required_from > today then 1 else 0 end,
    case rule.type when 'primary' then 0 else 1 end,
    case when rule.renewal_months > 0 then rule.renewal_months when rule.renewal_months = 0 then 100000 else 1000 end]
$$;
-- `asked`: on the day that it is then where the person works. Without a time as if every rule was in force.
drop function required_of(uuid);
create function required_of(person uuid, at timestamptz) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean
) language sql stable as $$
  select distinct on (k.course_id) k.id, k.course_id, k.type, k.renewal_months, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until, o.rank[1] = 0
  from compliance k
  cross join lateral (select rule_order(k, (select (at at time zone e.time_zone)::date from users u join entity_names e on e.id = u.primary_entity_id where u.id = person)) as rank) o
  where k.role_id in (select u.role_id from users u where u.id = person union select r.role_id from user_roles r where r.user_id = person)
  order by k.course_id, o.rank, k.id
$$;

-- Results that are being dated anew in the background: of a course, for everybody or for those who hold a job role. Up to `reached` it is done.
create table redatings (
  id uuid primary key,
  entity_id uuid not null references entities (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  role_id uuid references roles (id) on delete cascade,
  reason text not null,
  asked_by uuid not null references users (id),
  total integer not null,
  done integer not null default 0,
  reached uuid
);
create index redatings_entity on redatings (entity_id);
create index redatings_course on redatings (course_id);
create index redatings_role on redatings (role_id) where role_id is not null;
select protect('redatings', 'exists (select 1 from scope_own s where s.id = redatings.entity_id)', 'select, insert, delete');

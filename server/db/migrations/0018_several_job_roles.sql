-- Beside their job role (users.role_id) somebody can hold others: what they have to do is the sum of them.
create table user_roles (
  user_id uuid not null references users (id) on delete cascade,
  role_id uuid not null references roles (id),
  primary key (user_id, role_id)
);
create index user_roles_role on user_roles (role_id);
create view held_roles as
  select id as user_id, role_id from users where role_id is not null
  union select user_id, role_id from user_roles;

-- What somebody has to do, one row for each course. Where several of their job roles ask for it, the strictest counts:
-- primary before secondary, then what has to be renewed soonest.
create function required_of(person uuid) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer
) language sql stable as $$
  select distinct on (k.course_id) k.id, k.course_id, k.type, k.renewal_months, k.expiry_warning_days, k.starter_period_days
  from compliance k
  where k.role_id in (select u.role_id from users u where u.id = person union select r.role_id from user_roles r where r.user_id = person)
  order by k.course_id, k.type, case when k.renewal_months > 0 then k.renewal_months when k.renewal_months = 0 then 100000 else 1000 end, k.id
$$;

-- What those who look after somebody have written about them. Only its writer takes a note away.
create table person_notes (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  author_id uuid not null references users (id),
  body text not null,
  created_at timestamptz not null
);
create index person_notes_user on person_notes (user_id, created_at desc);
create index users_started on users (started_on, id);

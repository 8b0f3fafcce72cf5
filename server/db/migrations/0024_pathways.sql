-- Courses in an order that somebody goes through: given to a person, or to whoever has a job role.
create table pathways (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  name text not null,
  description text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index pathways_name on pathways (entity_id, lower(name));
create table pathway_steps (
  pathway_id uuid not null references pathways (id) on delete cascade,
  place integer not null,
  course_id uuid not null references courses (id),
  -- Days after it was given, or after the start of who has the job role; none where it may take as long as it takes.
  within_days integer,
  primary key (pathway_id, place),
  unique (pathway_id, course_id)
);
create index pathway_steps_course on pathway_steps (course_id);
create table pathway_allocations (
  id uuid primary key,
  pathway_id uuid not null references pathways (id) on delete cascade,
  user_id uuid references users (id) on delete cascade,
  role_id uuid references roles (id) on delete cascade,
  allocated_on date not null,
  allocated_by uuid not null references users (id),
  check (num_nonnulls(user_id, role_id) = 1),
  unique (pathway_id, user_id),
  unique (pathway_id, role_id)
);
create index pathway_allocations_user on pathway_allocations (user_id) where user_id is not null;
create index pathway_allocations_role on pathway_allocations (role_id) where role_id is not null;

-- Which pathways somebody goes through, and since when. One that was given to a job role reaches those who work where the
-- pathway belongs, or below, from the day they started. The same question is asked the other way round in `people_on`.
create function pathways_of(person uuid) returns table (pathway_id uuid, since date) language sql stable as $$
  select a.pathway_id, min(greatest(a.allocated_on, case when a.role_id is not null then u.started_on end))
  from users u join entity_below b on b.below = u.primary_entity_id join pathways p on p.entity_id = b.above join pathway_allocations a on a.pathway_id = p.id
  where u.id = person
    and (a.user_id = person or a.role_id in (select v.role_id from users v where v.id = person union select r.role_id from user_roles r where r.user_id = person))
  group by a.pathway_id
$$;
create function people_on(pathway uuid) returns table (user_id uuid, since date) language sql stable as $$
  select w.user_id, min(w.since) from (
    select a.user_id, a.allocated_on as since from pathway_allocations a where a.pathway_id = pathway and a.user_id is not null
    union all
    select u.id, greatest(a.allocated_on, u.started_on) from pathway_allocations a join users u on u.role_id = a.role_id where a.pathway_id = pathway
    union all
    select u.id, greatest(a.allocated_on, u.started_on) from pathway_allocations a join user_roles r on r.role_id = a.role_id join users u on u.id = r.user_id where a.pathway_id = pathway
  ) w join users u on u.id = w.user_id join pathways p on p.id = pathway join entity_below b on b.above = p.entity_id and b.below = u.primary_entity_id
  group by w.user_id
$$;
-- When a step was done: by a result since then, or by one that was in date on that day. A step that was done stays done.
create function step_done_at(person uuid, course uuid, since date) returns timestamptz language sql stable as $$
  select min(r.completed_at) from results r
  where r.user_id = person and r.course_id = course and (r.completed_at >= since or r.expires_at is null or r.expires_at > since)
$$;

create policy reach on pathways for select using (exists (select 1 from scope_reach s where s.id = pathways.entity_id));
create policy added on pathways for insert with check (exists (select 1 from scope_own s where s.id = pathways.entity_id));
create policy changed on pathways for update using (exists (select 1 from scope_own s where s.id = pathways.entity_id));
create policy removed on pathways for delete using (exists (select 1 from scope_own s where s.id = pathways.entity_id));
create policy reach on pathway_steps for select using (exists (select 1 from pathways p where p.id = pathway_steps.pathway_id));
create policy added on pathway_steps for insert
  with check (exists (select 1 from pathways p join scope_own s on s.id = p.entity_id where p.id = pathway_steps.pathway_id));
create policy removed on pathway_steps for delete
  using (exists (select 1 from pathways p join scope_own s on s.id = p.entity_id where p.id = pathway_steps.pathway_id));
-- Of people, those whom one sees; a job role is given a pathway where the pathway belongs.
create policy reach on pathway_allocations for select using (
  user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = pathway_allocations.user_id)
  or role_id is not null and exists (select 1 from pathways p where p.id = pathway_allocations.pathway_id));
create policy added on pathway_allocations for insert with check (
  exists (select 1 from scope_people p where p.id = pathway_allocations.user_id) and exists (select 1 from pathways p where p.id = pathway_allocations.pathway_id)
  or role_id is not null and exists (select 1 from pathways p join scope_own s on s.id = p.entity_id where p.id = pathway_allocations.pathway_id));
create policy removed on pathway_allocations for delete using (
  exists (select 1 from scope_people p where p.id = pathway_allocations.user_id)
  or role_id is not null and exists (select 1 from pathways p join scope_own s on s.id = p.entity_id where p.id = pathway_allocations.pathway_id));
do $$
declare t text;
begin
  foreach t in array array['pathways', 'pathway_steps', 'pathway_allocations'] loop
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert, update, delete on %I to lantern_scoped', t);
  end loop;
end $$;

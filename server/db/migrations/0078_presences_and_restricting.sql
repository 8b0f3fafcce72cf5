-- Which authors have what open to change it, in which of their tabs, and when they last said so. What is older than a minute and a half counts
-- for nothing, and is deleted.
create table presences (
  thing_id uuid not null,
  tab uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  entity_id uuid not null references entities (id) on delete cascade,
  since timestamptz not null,
  seen_at timestamptz not null,
  -- A tab that was closed stays so, whatever it said before that arrives later.
  closed boolean not null default false,
  primary key (thing_id, tab, user_id)
);
create index presences_seen on presences (seen_at);
select protect('presences', 'exists (select 1 from scope_own s where s.id = presences.entity_id)');

-- 122 guards from now on whom a course is limited to (needed 68) and whether only who records training enters a content (needed 29 or 30), as
-- it guards whom a content is limited to: it goes to whoever could do these before.
insert into type_permissions (type_id, permission_id) select distinct type_id, 122 from type_permissions where permission_id in (29, 30, 68) on conflict do nothing;
insert into entity_permissions (entity_id, permission_id) select distinct entity_id, 122 from entity_permissions where permission_id in (29, 30, 68) on conflict do nothing;
insert into user_permissions (user_id, permission_id) select distinct user_id, 122 from user_permissions where permission_id in (29, 30, 68) on conflict do nothing;

-- The second net below the checks of the application: a signed-in person's statements run as a role that sees, row by row,
-- only their organisation and what lies below it, and what is given to them from above. A check that somebody forgot then
-- finds nothing instead of another organisation's data. Who is asking stands in three settings of the connection.

-- Each organisation with itself and with all that are above it.
create table entity_below (
  above uuid not null references entities (id) on delete cascade,
  below uuid not null references entities (id) on delete cascade,
  primary key (above, below)
);
create index entity_below_below on entity_below (below, above);
insert into entity_below (above, below) select a, e.id from entities e cross join lateral entity_and_above(e.id) a;
-- Asked for every organisation of a list: read from there from now on.
create or replace function entity_and_above(entity uuid) returns setof uuid language sql stable as $$ select above from entity_below where below = entity $$;

create function entity_below_follows() returns trigger language plpgsql security definer set search_path = public as $$
begin
  -- One change of the tree at a time: what is added below one that moves has to see where it moves to.
  perform pg_advisory_xact_lock(hashtext('entities'));
  if tg_op = 'UPDATE' then
    delete from entity_below where below in (
      with recursive down as (select new.id as id union select c.id from entities c join down d on c.parent_id = d.id) select id from down);
  end if;
  insert into entity_below (above, below)
    with recursive down as (select new.id as id union select c.id from entities c join down d on c.parent_id = d.id),
      up as (select id as below, id as above from down union select u.below, e.parent_id from up u join entities e on e.id = u.above where e.parent_id is not null)
    select above, below from up
    on conflict do nothing;
  return null;
end $$;
create trigger entities_below_added after insert on entities for each row execute function entity_below_follows();
create trigger entities_below_moved after update of parent_id on entities for each row when (old.parent_id is distinct from new.parent_id) execute function entity_below_follows();

do $$ begin
  begin
    if not exists (select 1 from pg_roles where rolname = 'lantern_scoped') then create role lantern_scoped nologin; end if;
  exception when duplicate_object or unique_violation then null; -- Another database of the same server made it in this moment.
  end;
  if not pg_has_role(current_user, 'lantern_scoped', 'member') then execute format('grant lantern_scoped to %I', current_user); end if;
exception when insufficient_privilege then
  raise exception 'the user of the database may not make its second role. Let its administrator run: create role lantern_scoped nologin; grant lantern_scoped to %', quote_ident(current_user);
end $$;

-- Who is asking, where they belong, and the organisation that they act for.
create function scope_user() returns uuid language sql stable as $$ select nullif(current_setting('lantern.user', true), '')::uuid $$;
create function scope_home() returns uuid language sql stable as $$ select nullif(current_setting('lantern.home', true), '')::uuid $$;
create function scope_place() returns uuid language sql stable as $$ select nullif(current_setting('lantern.place', true), '')::uuid $$;
-- Whose people and work are theirs to see: the organisation they act for and all below it.
create view scope_below with (security_invoker = true) as select below as id from entity_below where above = scope_place();
-- Their own organisation besides, while they act for another.
create view scope_own with (security_invoker = true) as select id from scope_below union all select scope_home();
-- Whose settings, job roles and courses reach them: what lies above as well.
create view scope_reach with (security_invoker = true) as
  select id from scope_own
  union all select above as id from entity_below where below = scope_place()
  union all select above as id from entity_below where below = scope_home();

-- Their people, read by the owner of the tables: what belongs to a person need not ask the policy of people for each row.
create view scope_people as select u.id from entity_below b join users u on u.primary_entity_id = b.below where b.above = scope_place();
-- The same for what lies below an attempt, a certificate or a job role. A call is quick, and a statement over many such tables
-- stays small.
create function scope_sees_attempt(attempt uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from attempts a where a.id = attempt and (a.user_id = scope_user() or exists (select 1 from scope_people p where p.id = a.user_id)));
end $$;
create function scope_sees_certificate(certificate uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from care_certificates c where c.id = certificate and (c.user_id = scope_user() or exists (select 1 from scope_people p where p.id = c.user_id)));
end $$;
create function scope_sees_role(role uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from roles r join scope_reach s on s.id = r.entity_id where r.id = role);
end $$;

-- Courses, contents and packages of others that are given to them, or that they have begun or done themselves. Read once for a
-- statement, whatever the policies of these tables say.
create function scope_given_courses() returns setof uuid language plpgsql stable security definer rows 50 set search_path = public as $$
begin
  return query
    select x.course_id from entity_courses x where exists (select 1 from scope_reach s where s.id = x.entity_id)
    union select c.course_id from entity_contents x join contents c on c.id = x.content_id where exists (select 1 from scope_reach s where s.id = x.entity_id)
    union select k.course_id from roles r join compliance k on k.role_id = r.id where exists (select 1 from scope_reach s where s.id = r.entity_id)
    union select r.course_id from results r where r.user_id = scope_user()
    union select c.course_id from attempts a join contents c on c.id = a.content_id where a.user_id = scope_user();
end $$;
create function scope_given_contents() returns setof uuid language plpgsql stable security definer rows 50 set search_path = public as $$
begin
  return query
    select c.id from entity_courses x join courses k on k.id = x.course_id join contents c on c.course_id = k.id and c.entity_id = k.entity_id
      where exists (select 1 from scope_reach s where s.id = x.entity_id)
    union select x.content_id from entity_contents x where exists (select 1 from scope_reach s where s.id = x.entity_id)
    union select a.content_id from attempts a where a.user_id = scope_user();
end $$;
create index content_versions_package on content_versions (content_id, ((document -> 'package' ->> 'id')::uuid)) where document -> 'package' ->> 'id' is not null;
create function scope_given_packages() returns setof uuid language plpgsql stable security definer rows 50 set search_path = public as $$
begin
  return query
    select (v.document -> 'package' ->> 'id')::uuid from content_versions v where v.document -> 'package' ->> 'id' is not null
      and v.content_id in (select scope_given_contents() union select c.id from contents c where exists (select 1 from scope_reach s where s.id = c.entity_id));
end $$;

-- Whether somebody has this address, in whichever organisation: an address signs in one person only.
create function address_taken(address text) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from users where lower(email) = lower(address));
end $$;
-- People by a part of their name or address, of those who may be seen. A policy would come before the search, and leave its
-- index unused: here the search comes first, and the same rule after it.
create function people_found(pattern text) returns setof users language plpgsql stable security definer rows 1000 set search_path = public as $$
begin
  return query execute 'select u.* from users u where (u.name ilike $1 or u.email ilike $1)
    and (scope_place() is null or u.id = scope_user() or exists (select 1 from scope_own s where s.id = u.primary_entity_id))' using pattern;
end $$;
-- Names for rows that may be seen: who did something may belong to an organisation above, a course to a library, and what
-- somebody has done may have been taken away since.
create view entity_names as select id, name, slug from entities;
create view course_titles as select id, title, short_title, delivery, entity_id from courses;
create view content_titles as select id, title, type, course_id from contents;
create view person_names as select id, name, disabled_at is not null as has_left from users;
alter view held_roles set (security_invoker = true);

grant usage on schema public to lantern_scoped;
grant select on entity_below, scope_below, scope_own, scope_reach, scope_people, entity_names, person_names, course_titles, content_titles, held_roles to lantern_scoped;

-- Of nobody in particular, or unreadable without what it is the hash of.
grant select on help_articles to lantern_scoped;
grant select, insert, update on media, brand_pictures to lantern_scoped;
grant select, insert, update, delete on sign_in_failures to lantern_scoped;

-- What an organisation has made: those below it see it, it is changed at the place it belongs to and from above.
do $$
declare
  t text;
  given text;
  own text;
  of_parent text[];
begin
  foreach t in array array['roles', 'types', 'course_categories', 'tags', 'entity_courses', 'entity_contents', 'tag_entities', 'whitelabels', 'entity_permissions', 'h5ps', 'h5p_libraries',
    'courses', 'contents', 'packages'] loop
    given := case when t in ('courses', 'contents', 'packages') then format(' or id in (select scope_given_%s())', t) else '' end;
    execute format('create policy reach on %I for select using (exists (select 1 from scope_reach s where s.id = %I.entity_id)' || given || ')', t, t);
    execute format('create policy added on %I for insert with check (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
    execute format('create policy changed on %I for update using (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
    execute format('create policy removed on %I for delete using (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
  end loop;
  -- What it keeps to itself.
  foreach t in array array['imports', 'import_mappings', 'bulk_events', 'audit_log', 'entity_scores', 'organisation_keys'] loop
    execute format('create policy own on %I using (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
  end loop;
  -- What belongs to a person.
  foreach t in array array['user_permissions', 'sessions', 'one_time_tokens', 'attempts', 'results', 'feedback', 'ledger', 'refusals', 'device_contacts', 'held_work',
    'care_certificates', 'second_steps', 'recovery_codes', 'passkeys', 'identities', 'auth_events', 'user_roles', 'person_notes', 'transfers', 'tag_users'] loop
    execute format('create policy own on %I using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = %I.user_id))', t, t);
  end loop;
  foreach t in array array['passkey_challenges', 'openid_states'] loop
    execute format('create policy own on %I using (user_id = (select scope_user()))', t);
  end loop;
  foreach t in array array['topic_progress', 'draft_answers', 'quiz_submissions', 'scorm_sessions', 'scorm_resumes', 'h5p_statements', 'h5p_states', 'h5p_facts'] loop
    execute format('create policy own on %I using (scope_sees_attempt(attempt_id))', t);
  end loop;
  foreach t in array array['observations', 'criterion_decisions'] loop
    execute format('create policy own on %I using (scope_sees_certificate(certificate_id))', t);
  end loop;
  create policy reach on compliance for select using (scope_sees_role(role_id));
  -- What belongs to something else: it is seen with it, and changed by whose that is.
  foreach of_parent slice 1 in array array[
    ['import_rows', 'imports', 'import_id'], ['bulk_event_people', 'bulk_events', 'bulk_id'],
    ['course_category_courses', 'course_categories', 'category_id'],
    ['type_permissions', 'types', 'type_id'], ['compliance', 'roles', 'role_id'],
    ['content_versions', 'contents', 'content_id'], ['content_prerequisites', 'contents', 'content_id']] loop
    if of_parent[1] <> 'compliance' then
      execute format('create policy reach on %I for select using (exists (select 1 from %I p where p.id = %I.%I))', of_parent[1], of_parent[2], of_parent[1], of_parent[3]);
    end if;
    own := format('exists (select 1 from %I p join scope_own s on s.id = p.entity_id where p.id = %I.%I)', of_parent[2], of_parent[1], of_parent[3]);
    execute format('create policy added on %I for insert with check (%s)', of_parent[1], own);
    execute format('create policy changed on %I for update using (%s)', of_parent[1], own);
    execute format('create policy removed on %I for delete using (%s)', of_parent[1], own);
  end loop;
end $$;

create policy reach on entities for select using (exists (select 1 from scope_reach s where s.id = entities.id));
create policy added on entities for insert with check (exists (select 1 from scope_below s where s.id = entities.parent_id));
create policy changed on entities for update using (exists (select 1 from scope_below s where s.id = entities.id))
  with check (exists (select 1 from scope_below s where s.id = entities.id) and (parent_id is null or exists (select 1 from scope_reach s where s.id = entities.parent_id)));
create policy removed on entities for delete using (exists (select 1 from scope_below s where s.id = entities.id));
create policy own on users using (id = (select scope_user()) or exists (select 1 from scope_own s where s.id = users.primary_entity_id))
  with check (exists (select 1 from scope_own s where s.id = users.primary_entity_id));
create function no_super_by_request() returns trigger language plpgsql as $$
begin
  if current_user = 'lantern_scoped' then raise exception 'only the server makes super administrators'; end if;
  return new;
end $$;
create trigger users_no_super before insert or update of super_admin on users for each row when (new.super_admin) execute function no_super_by_request();
create policy epoch on settings for select using (key = 'data_epoch');
create policy own on messages using (
  sender_id = (select scope_user()) or recipient_id = (select scope_user())
  or exists (select 1 from scope_people p where p.id = messages.sender_id) or exists (select 1 from scope_people p where p.id = messages.recipient_id));

-- Every table with a policy is open to the role for what its policies say.
do $$
declare t text;
begin
  for t in select distinct tablename from pg_policies where schemaname = 'public' loop
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert, update, delete on %I to lantern_scoped', t);
  end loop;
end $$;

-- A content belongs to the organisation that made it. With a course that is shared go only the contents of the course's owner:
-- what another organisation adds to it stays with that organisation and those below.
alter table contents add column entity_id uuid references entities (id), add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now(), add column deleted_at timestamptz;
update contents c set entity_id = k.entity_id from courses k where k.id = c.course_id;
alter table contents alter column entity_id set not null;
create index contents_entity on contents (entity_id, type, updated_at);
create function entity_and_above(entity uuid) returns setof uuid language sql stable as $$
  with recursive up as (select id, parent_id from entities where id = entity union all select p.id, p.parent_id from entities p join up on p.id = up.parent_id)
  select id from up
$$;

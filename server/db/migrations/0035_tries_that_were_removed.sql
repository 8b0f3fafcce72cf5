-- The highest number that a removed try of a person at a content had: no later try takes it, because tablets still know the old one by it.
create table removed_tries (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references contents (id) on delete cascade,
  highest integer not null,
  primary key (user_id, content_id)
);
create policy own on removed_tries using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = removed_tries.user_id));
alter table removed_tries enable row level security;
grant select, insert, update, delete on removed_tries to lantern_scoped;

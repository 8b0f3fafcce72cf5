-- Changes that a device sent and that the server failed at (its own fault: 5xx), or that a device has given up sending. What the
-- change says does not stand here: who, which, how often, when, and where in the program.
create table failed_changes (
  user_id uuid not null references users (id) on delete cascade,
  entry_id uuid not null,
  command text not null, times integer not null, first_at timestamptz not null, last_at timestamptz not null,
  request_id text, error text,
  device_id text, given_up_at timestamptz,
  primary key (user_id, entry_id)
);
create index failed_changes_last on failed_changes (last_at);
create policy own on failed_changes using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = failed_changes.user_id));
alter table failed_changes enable row level security;
grant select, insert, update, delete on failed_changes to lantern_scoped;

-- Work that the server does by itself, and how far it is. The queue that runs it is pg-boss's own schema: it holds nothing that
-- cannot be made again from these rows.
create table jobs (
  id uuid primary key default gen_random_uuid(),
  kind text not null, key text not null, subject text not null default '',
  entity_id uuid references entities (id) on delete cascade, owner_id uuid references users (id) on delete set null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  again boolean not null default false, done integer not null default 0, total integer, tries integer not null default 0, problem text,
  run_id uuid, next_at timestamptz not null, cancel_at timestamptz,
  asked_at timestamptz not null, started_at timestamptz, changed_at timestamptz not null, ended_at timestamptz,
  unique (kind, key)
);
create index jobs_open on jobs (state) where state in ('waiting', 'running');
create index jobs_entity on jobs (entity_id, changed_at desc);
create index jobs_owner on jobs (owner_id, changed_at desc);
select protect('jobs', 'owner_id = (select scope_user()) or exists (select 1 from scope_own s where s.id = jobs.entity_id)', 'select, insert, update');

-- Mail can be stored in the transaction that it tells of; it cannot be read.
grant insert on outgoing_mail to lantern_scoped;

-- Imports that were under way go on as jobs.
insert into jobs (kind, key, subject, entity_id, owner_id, state, total, next_at, asked_at, changed_at)
  select 'import', id::text, file_name, entity_id, coalesce(run_by, actor_id), 'waiting', total, now(), coalesce(started_at, created_at), now()
  from imports where state = 'running';
drop index imports_running;
alter table imports drop column beat_at;

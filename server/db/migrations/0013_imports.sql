-- Tables of people, organisations, job roles and courses that somebody brings: what stands in each row, what would be done, and what was.
create table imports (
  id uuid primary key, entity_id uuid not null references entities (id), actor_id uuid not null references users (id), acting_as_id uuid references entities (id),
  address text not null, kind text not null, file_name text not null, format jsonb not null, columns jsonb not null, mapping jsonb not null,
  options jsonb not null, state text not null check (state in ('planned', 'running', 'stopped', 'done')), total integer not null,
  created_at timestamptz not null, started_at timestamptz, ended_at timestamptz, beat_at timestamptz
);
create index imports_entity on imports (entity_id, created_at desc);
create index imports_running on imports (beat_at) where state = 'running';
create table import_rows (
  import_id uuid not null references imports (id) on delete cascade, no integer not null, place integer not null, cells jsonb not null, ragged boolean not null default false,
  action text not null, name text not null, subject_id uuid, planned jsonb not null default '{}', problems jsonb not null default '[]',
  done_at timestamptz, resolved_at timestamptz, resolved_by uuid references users (id), primary key (import_id, no)
);
create index import_rows_place on import_rows (import_id, place) where done_at is null;
-- Which column holds what, as it was chosen last for a table with these columns.
create table import_mappings (
  entity_id uuid not null references entities (id) on delete cascade, kind text not null, columns_key text not null, mapping jsonb not null,
  primary key (entity_id, kind, columns_key)
);

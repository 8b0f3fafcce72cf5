-- Course packages as they were uploaded. Their files lie in the file store; `tree` is the hash of the list of them.
create table packages (
  id uuid primary key, tree text not null unique, kind text not null check (kind in ('scorm', 'h5p')), manifest jsonb not null, warnings jsonb not null,
  bytes bigint not null, files integer not null, entity_id uuid references entities (id), created_by uuid references users (id), created_at timestamptz not null
);
create index packages_entity on packages (entity_id, created_at);
-- Libraries that an organisation's activities have brought, for those that come without.
create table h5p_libraries (
  entity_id uuid not null references entities (id), name text not null, major integer not null, minor integer not null, patch integer not null,
  package_id uuid not null references packages (id), path text not null, primary key (entity_id, name, major, minor)
);

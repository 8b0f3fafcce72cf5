-- The H5P activities of an organisation: each has a package, and gets another when a new one is uploaded. Courses keep the package that they were made with.
create table h5ps (
  id uuid primary key, title text not null, video_id text, package_id uuid not null references packages (id), entity_id uuid not null references entities (id),
  created_by uuid references users (id), created_at timestamptz not null, updated_at timestamptz not null
);
create index h5ps_entity on h5ps (entity_id, updated_at);

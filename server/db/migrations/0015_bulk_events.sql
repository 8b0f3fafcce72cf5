-- One completed event recorded for many people at once: who was recorded, who was not and why; and whether it was taken back.
create table bulk_events (
  id uuid primary key, entity_id uuid not null references entities (id), actor_id uuid not null references users (id), course_id uuid not null references courses (id),
  type text not null, completed_on date not null, note text not null default '', created_at timestamptz not null, undone_at timestamptz, undone_by uuid references users (id)
);
create index bulk_events_entity on bulk_events (entity_id, created_at desc);
create table bulk_event_people (
  bulk_id uuid not null references bulk_events (id) on delete cascade, user_id uuid not null references users (id), result_id uuid, problem text,
  primary key (bulk_id, user_id)
);

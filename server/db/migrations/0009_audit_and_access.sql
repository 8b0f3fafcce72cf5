-- Every change by a person: who, as whom, what, before, after, from where. What is written stays as it is.
create table audit_log (
  id uuid primary key,
  -- The order in which they were written; `at` is the server's clock.
  no bigint generated always as identity,
  at timestamptz not null,
  actor_id uuid not null references users (id),
  acting_as_id uuid references entities (id),
  entity_id uuid not null references entities (id),
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  before jsonb,
  after jsonb,
  address text not null
);
create index audit_log_entity on audit_log (entity_id, no desc);
create unique index audit_log_no on audit_log (no desc);
create function stays_as_written() returns trigger language plpgsql as $$ begin raise exception 'what is written here is not changed'; end $$;
create trigger audit_log_stays before update or delete or truncate on audit_log for each statement execute function stays_as_written();

alter table entities
  add column restricted_access_at timestamptz,
  add column restricted_access_message text,
  add column restricted_access_password_hash text,
  add column popup_link text,
  add column login_popup_alt_name text,
  add column always_show_popup_on_login boolean not null default false;
-- This session was begun with the access password.
alter table sessions add column access_password_given boolean not null default false;
create index users_role on users (role_id);
create index users_type on users (type_id);

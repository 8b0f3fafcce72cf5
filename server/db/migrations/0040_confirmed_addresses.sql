-- An address counts from when it was confirmed by its mail: a sign-up makes nothing before, a change of address changes nothing.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check check (purpose in ('reset_password', 'verify_email', 'change_email'));

-- Belongs to nobody yet: only the public calls that begin and end a sign-up touch it, which run outside of any organisation.
create table sign_ups (
  token_hash text primary key,
  organisation text not null,
  name text not null,
  email text not null,
  password_hash text not null,
  expires_at timestamptz not null
);
create index sign_ups_expire on sign_ups (expires_at);
alter table sign_ups enable row level security;

alter table auth_events drop constraint auth_events_kind_check;
alter table auth_events add constraint auth_events_kind_check check (kind in ('signed_in', 'refused', 'password_changed', 'email_changed'));

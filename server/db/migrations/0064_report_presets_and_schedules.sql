-- The choices of a report under a name: of its owner, or of everybody at the organisation where it was saved and below it.
create table report_presets (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  entity_id uuid not null references entities (id) on delete cascade,
  report text not null,
  name text not null,
  filter jsonb not null,
  shared boolean not null,
  changed_at timestamptz not null
);
create index report_presets_place on report_presets (entity_id, report);
create index report_presets_owner on report_presets (owner_id);
select protect('report_presets', 'exists (select 1 from scope_reach s where s.id = report_presets.entity_id)
  and (owner_id = (select scope_user()) or shared)');
-- With which of them a report opens for somebody.
create table report_preset_defaults (
  user_id uuid not null references users (id) on delete cascade,
  report text not null,
  preset_id uuid not null references report_presets (id) on delete cascade,
  primary key (user_id, report)
);
create index report_preset_defaults_preset on report_preset_defaults (preset_id);
select protect('report_preset_defaults', 'user_id = (select scope_user())');

-- To which addresses of people without an account an organisation, and those below it, may send reports.
alter table entities add column email_domains text[] not null default '{}';

-- A report that is sent again and again, as its owner sees it. `next_at` is when it is due; stopped for good with a reason.
create table report_schedules (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  entity_id uuid not null references entities (id) on delete cascade, -- the organisation that the owner acted for
  name text not null,
  report text not null,
  filter jsonb not null,
  format text not null, -- of the file
  as_link boolean not null, -- a link that needs a sign-in, in place of the file
  link_days integer not null,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  weekday integer check (weekday between 1 and 7),
  month_day integer check (month_day between 1 and 31),
  send_at text not null, -- HH:MM in the organisation's time zone
  user_ids uuid[] not null,
  role_ids uuid[] not null,
  addresses text[] not null,
  next_at timestamptz not null,
  paused boolean not null default false,
  stopped_why text,
  changed_at timestamptz not null
);
create index report_schedules_due on report_schedules (next_at) where not paused and stopped_why is null;
create index report_schedules_place on report_schedules (entity_id);
create index report_schedules_owner on report_schedules (owner_id);
select protect('report_schedules', 'exists (select 1 from scope_own s where s.id = report_schedules.entity_id)');

-- One sending of a report: of a schedule, or asked for once. `due_at` names it within its schedule, so it is made once.
create table report_deliveries (
  id uuid primary key,
  schedule_id uuid references report_schedules (id) on delete cascade,
  owner_id uuid not null references users (id) on delete cascade, -- as whom it is made
  entity_id uuid not null references entities (id) on delete cascade,
  title text not null,
  report text not null,
  filter jsonb not null,
  search text not null,
  format text not null,
  as_link boolean not null,
  link_days integer not null,
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'stopped')),
  problem text,
  recipients integer not null default 0,
  rows integer,
  bytes integer,
  file_name text, file_type text,
  made_by uuid, -- which making of it the pieces belong to
  ended_at timestamptz,
  expires_at timestamptz, -- until when its file can be had by a link
  unique (schedule_id, due_at)
);
create index report_deliveries_owner on report_deliveries (owner_id);
create index report_deliveries_place on report_deliveries (entity_id);
create table report_delivery_pieces (
  delivery_id uuid not null references report_deliveries (id) on delete cascade,
  made_by uuid not null,
  no integer not null,
  bytes bytea not null,
  primary key (delivery_id, made_by, no)
);
-- Who can have its file by the link.
create table report_delivery_people (
  delivery_id uuid not null references report_deliveries (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (delivery_id, user_id)
);
create index report_delivery_people_user on report_delivery_people (user_id);
create function scope_receives_delivery(delivery uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from report_delivery_people p where p.delivery_id = delivery and p.user_id = scope_user());
end $$;
select protect('report_deliveries', 'owner_id = (select scope_user()) or exists (select 1 from scope_own s where s.id = report_deliveries.entity_id) or scope_receives_delivery(id)');
select protect('report_delivery_pieces', 'exists (select 1 from report_deliveries d where d.id = report_delivery_pieces.delivery_id)');
select protect('report_delivery_people', 'exists (select 1 from report_deliveries d where d.id = report_delivery_people.delivery_id)');

-- A file that e-mails carry: stored once for all of them, deleted when the last is sent. It cannot be read by a request.
create table mail_files (id uuid primary key, name text not null, type text not null, bytes bytea not null, at timestamptz not null);
alter table outgoing_mail add column file_id uuid references mail_files (id) on delete set null;
create index outgoing_mail_file on outgoing_mail (file_id) where file_id is not null;

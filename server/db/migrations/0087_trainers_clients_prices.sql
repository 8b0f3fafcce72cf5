-- What is known of a trainer (users.is_trainer) beside what they may do: where they start from, when they work, and a version of it all.
-- `hours` are [{day: 1 (Monday) to 7, from, to}]; none: any time. `away` are [{from, to, reason}], days.
create table trainers (
  user_id uuid primary key references users (id) on delete cascade,
  home_base text not null default '',
  hours jsonb not null default '[]',
  away jsonb not null default '[]',
  rev integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid not null references users (id)
);
-- What they are competent to train in.
create table trainer_courses (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (user_id, course_id)
);
create index trainer_courses_course on trainer_courses (course_id);
select protect('trainers', 'user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = trainers.user_id)', 'select, insert, update');
select protect('trainer_courses', 'user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = trainer_courses.user_id)',
  'select, insert, delete');

-- The sessions that a trainer gives at a time, of whichever organisation: nobody is in two places. Only of one's own people, or of oneself.
create function trainer_sessions_at(trainer uuid, day date, begins text, ends text) returns table (id uuid, start_time text, end_time text)
  language plpgsql stable security definer set search_path = public as $$
begin
  if scope_user() is not null and trainer <> scope_user() and not exists (select 1 from scope_people p where p.id = trainer) then return; end if;
  return query select t.id, to_char(t.start_time::time, 'HH24:MI'), to_char(t.end_time::time, 'HH24:MI') from training_sessions t
    where t.trainer_id = trainer and t.date = day and t.cancelled_at is null and t.start_time::time < ends::time and t.end_time::time > begins::time;
end $$;

-- How an organisation is asked to become a client: with a code that the provider hands over, of which only the hash is kept.
create table training_client_invitations (
  id uuid primary key,
  provider_id uuid not null references entities (id) on delete cascade,
  code_hash text not null unique,
  name text not null,
  email text,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index training_client_invitations_provider on training_client_invitations (provider_id);
select protect('training_client_invitations', 'exists (select 1 from scope_own s where s.id = training_client_invitations.provider_id)', 'select, insert, delete');

-- What training costs, from which day on, in pence without VAT.
create table training_prices (
  id uuid primary key,
  entity_id uuid not null references entities (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  per_person_pence integer check (per_person_pence between 0 and 100000000),
  per_session_pence integer check (per_session_pence between 0 and 100000000),
  vat_rate numeric(5, 2) not null check (vat_rate between 0 and 100),
  valid_from date not null,
  unique (entity_id, course_id, valid_from),
  check (per_person_pence is not null or per_session_pence is not null)
);
create index training_prices_course on training_prices (course_id);
select protect('training_prices', 'exists (select 1 from scope_own s where s.id = training_prices.entity_id)');

-- By how much the clock of the device was behind when an entry was saved there; none where it was right.
alter table observations add column skew_ms bigint;

-- Training sessions, who is on their list, and the register that is taken of them.
create table training_sessions (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  course_id uuid not null references courses (id),
  trainer_id uuid not null references users (id),
  -- Day and times on the wall of where it is.
  date date not null,
  start_time time not null,
  end_time time not null check (end_time > start_time),
  venue text not null,
  room text not null,
  aim text not null,
  max_delegates integer,
  grading_method text not null check (grading_method in ('attendance', 'practical')),
  cancelled_at timestamptz,
  cancelled_by uuid references users (id),
  cancellation_notes text,
  -- Said where a register was taken of a session that had been cancelled.
  held boolean,
  rev integer not null default 1,
  created_by uuid not null references users (id),
  created_at timestamptz not null
);
create index training_sessions_place on training_sessions (entity_id, date);
create index training_sessions_trainer on training_sessions (trainer_id, date);

create table session_delegates (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  user_id uuid references users (id),
  name text not null,
  note text not null default '',
  walk_in boolean not null default false,
  -- Noted by a device without a line as somebody who is on the list under another id.
  same_as uuid references session_delegates (id),
  added_by uuid not null references users (id),
  added_at timestamptz not null,
  removed_at timestamptz,
  removed_by uuid references users (id)
);
create unique index session_delegates_person on session_delegates (session_id, user_id) where user_id is not null and same_as is null;
create index session_delegates_session on session_delegates (session_id);

-- What is noted of them: only ever added, a mark in the place of the one before.
create table register_marks (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  delegate_id uuid not null references session_delegates (id),
  presence text not null check (presence in ('present', 'absent')),
  arrived time,
  left_at time,
  outcome text check (outcome in ('passed', 'not_yet')),
  note text not null,
  instead_of uuid unique references register_marks (id),
  by_id uuid not null references users (id),
  at timestamptz not null,
  received_at timestamptz not null,
  -- Its place among the marks of the session.
  seq integer not null,
  unique (session_id, seq)
);
create index register_marks_session on register_marks (session_id);
create table register_signatures (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  mark_id uuid not null references register_marks (id),
  method text not null check (method in ('drawn', 'pin')),
  drawing text,
  by_id uuid not null references users (id),
  at timestamptz not null,
  received_at timestamptz not null,
  check ((method = 'drawn') = (drawing is not null))
);
create index register_signatures_session on register_signatures (session_id);
create table register_completions (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  marks uuid[] not null,
  note text not null,
  method text not null check (method in ('drawn', 'pin', 'signed_in')),
  drawing text,
  by_id uuid not null references users (id),
  at timestamptz not null,
  received_at timestamptz not null,
  check ((method = 'drawn') = (drawing is not null))
);
create index register_completions_session on register_completions (session_id);
create trigger register_marks_append_only before update or delete on register_marks for each row execute function only_ever_added();
create trigger register_signatures_append_only before update or delete on register_signatures for each row execute function only_ever_added();
create trigger register_completions_append_only before update or delete on register_completions for each row execute function only_ever_added();

-- What stands in somebody's record by a register goes with what it says.
alter table results add column delegate_id uuid unique references session_delegates (id);

create policy own on training_sessions
  using (trainer_id = (select scope_user()) or exists (select 1 from scope_own s where s.id = training_sessions.entity_id));
create function scope_sees_session(session uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from training_sessions t where t.id = session and (t.trainer_id = scope_user() or exists (select 1 from scope_own s where s.id = t.entity_id)));
end $$;
do $$
declare t text;
begin
  foreach t in array array['session_delegates', 'register_marks', 'register_signatures', 'register_completions'] loop
    execute format('create policy own on %I using (scope_sees_session(session_id))', t);
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert on %I to lantern_scoped', t);
  end loop;
end $$;
alter table training_sessions enable row level security;
grant select, insert, update on training_sessions to lantern_scoped;
grant update on session_delegates to lantern_scoped;

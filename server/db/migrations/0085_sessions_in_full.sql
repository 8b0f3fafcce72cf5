-- All that a session says of itself: what it is to achieve, how few it is held for, where one joins it that is held over the internet.
alter table training_sessions
  add column content_id uuid references contents (id),
  add column content_covered text not null default '',
  add column learning_outcomes text not null default '',
  add column min_delegates integer check (min_delegates between 1 and 500),
  add column virtual boolean not null default false,
  add column joining_link text not null default '',
  add column cancellation_reason_id text,
  -- When who planned it was told that too few are booked.
  add column risk_told_at timestamptz;
-- The joining link that was sent to them last.
alter table session_delegates add column link_sent text;

-- Given by somebody from outside, known by name; certificates may wait until they are released.
alter table training_sessions
  add column external_provider boolean not null default false,
  add column external_trainer text not null default '',
  add column certificates_withheld boolean not null default false,
  add column certificates_released_at timestamptz;

-- A register that was finished and is marked as incomplete again. What was signed stays; it counts no longer.
create table register_reopenings (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  completions uuid[] not null,
  reason text not null,
  by_id uuid not null references users (id),
  at timestamptz not null
);
create index register_reopenings_session on register_reopenings (session_id);
create trigger register_reopenings_append_only before update or delete on register_reopenings for each row execute function only_ever_added();
select protect('register_reopenings', 'exists (select 1 from scope_sessions s where s.id = register_reopenings.session_id)', 'select, insert');
create view current_completions with (security_invoker = true) as select c.* from register_completions c
  where not exists (select 1 from register_reopenings r where r.session_id = c.session_id and c.id = any (r.completions));
grant select on current_completions to lantern_scoped;

-- How it is graded: also by passing or failing, by a score with a pass mark, or in its practical and its theoretical part.
alter table training_sessions drop constraint training_sessions_grading_method_check;
alter table training_sessions add constraint training_sessions_grading_method_check
  check (grading_method in ('attendance', 'practical', 'pass_fail', 'score', 'practical_theory'));
alter table training_sessions add column pass_mark integer check (pass_mark between 1 and 100);
alter table register_marks add column score integer check (score between 0 and 100), add column theory text check (theory in ('passed', 'not_yet'));

-- Those booked are asked whether they can come where a session is moved to another day or time.
alter table session_delegates add column move_asked_at timestamptz, add column move_agreed_at timestamptz;

-- Sessions that were planned together, on the same weekday.
alter table training_sessions add column series_id uuid;
create index training_sessions_series on training_sessions (series_id, date) where series_id is not null;

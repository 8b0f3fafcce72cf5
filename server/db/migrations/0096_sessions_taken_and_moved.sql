-- A session can be moved while its trainer, without a line, takes its register on the day that it had. The days that it had, and who moved it last:
alter table training_sessions add column former_days date[] not null default '{}', add column moved_by uuid references users (id),
  -- For which of them a register was finished all the same, until somebody says whether it took place.
  add column taken_on date;

create or replace function register_counts(session uuid) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from training_sessions t join current_completions c on c.session_id = t.id
    where t.id = session and (t.cancelled_at is null or t.held is true) and t.taken_on is null)
$$;

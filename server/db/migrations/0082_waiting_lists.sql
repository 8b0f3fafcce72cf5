-- Who waits for a place on a full session, in the order in which they were put on the list. Apart from the register, which devices keep.
create table session_waiting (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  user_id uuid not null references users (id),
  added_by uuid not null references users (id),
  added_at timestamptz not null,
  seq bigint generated always as identity,
  unique (session_id, user_id)
);
create index session_waiting_user on session_waiting (user_id);
select protect('session_waiting', 'user_id = (select scope_user()) or exists (select 1 from scope_sessions s where s.id = session_waiting.session_id)');
-- Whoever waits sees the session.
create or replace function scope_is_delegate(session uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from session_delegates d where d.session_id = session and d.user_id = scope_user())
    or exists (select 1 from session_waiting w where w.session_id = session and w.user_id = scope_user());
end $$;

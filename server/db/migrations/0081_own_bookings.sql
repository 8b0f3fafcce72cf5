-- A person sees the sessions that they are on the list of, and says why they do not come.
alter table session_delegates add column removed_why text not null default '';
create index session_delegates_user on session_delegates (user_id) where user_id is not null;
create policy mine on session_delegates for select using (user_id = (select scope_user()));
create function scope_is_delegate(session uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from session_delegates d where d.session_id = session and d.user_id = scope_user());
end $$;
create policy mine on training_sessions for select using (scope_is_delegate(id));
create policy mine on venues for select
  using (exists (select 1 from training_sessions t where t.venue_id = venues.id and scope_is_delegate(t.id)));

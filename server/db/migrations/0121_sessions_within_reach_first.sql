-- Sessions of other organisations, asked in the order of what it costs: whose they are, which providers one is a client of (once a statement), and
-- only then, for each of the others, whether one is on its list or has booked on it. As policies of their own the dear ones came first.
create function scope_providers() returns uuid[] language plpgsql stable security definer set search_path = public as $$
begin
  return array(select c.provider_id from training_clients c where c.ended_at is null and exists (select 1 from scope_reach s where s.id = c.client_id));
end $$;
revoke all on function scope_providers from public;
grant execute on function scope_providers to lantern_scoped;
drop policy mine on training_sessions;
drop policy booked on training_sessions;
alter policy bookable on training_sessions using (
  exists (select 1 from scope_reach s where s.id = entity_id) or (available_to = 'clients' and entity_id = any ((select scope_providers())::uuid[]))
  or scope_is_delegate(id) or scope_has_booked(id));
alter policy bookable on training_sessions rename to reach;

-- A policy that asks another table with a policy is written into each statement with all of it, and planned each time: a statement about venues
-- had 46 subqueries, and was planned for 25 ms to be run for a tenth of one. What is asked of another table is a function here: it is
-- planned once a connection, and only where the cheaper conditions before it do not hold.
create function scope_sees_booking(booking uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from bookings b where b.id = booking and (b.created_by = scope_user() or exists (select 1 from scope_own s where s.id = b.client_id)
    or (b.confirmed_at is not null and exists (select 1 from scope_own s where s.id = b.provider_id))));
end $$;
create function scope_has_booked(session uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from booking_places p where p.session_id = session and (p.user_id = scope_user() or scope_sees_booking(p.booking_id)));
end $$;
create function scope_goes_to(asked uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from training_sessions t where t.venue_id = asked and scope_is_delegate(t.id));
end $$;
create function scope_sees_venue(asked uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from venues v where v.id = asked and (exists (select 1 from scope_own s where s.id = v.entity_id) or scope_goes_to(v.id)));
end $$;
-- Whether the caller's organisation, or one above it, is a client of a provider below an organisation, or of itself.
create function scope_is_client_below(entity uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from training_clients c join entity_below b on b.below = c.provider_id
    where b.above = entity and c.ended_at is null and exists (select 1 from scope_reach s where s.id = c.client_id));
end $$;
revoke all on function scope_sees_booking, scope_has_booked, scope_goes_to, scope_sees_venue, scope_is_client_below from public;
grant execute on function scope_sees_booking, scope_has_booked, scope_goes_to, scope_sees_venue, scope_is_client_below to lantern_scoped;

alter policy own on booking_places using (user_id = (select scope_user()) or scope_sees_booking(booking_id));
alter policy own on booking_prices using (scope_sees_booking(booking_id));
alter policy booked on training_sessions using (scope_has_booked(id));
alter policy bookable on training_sessions using (exists (select 1 from scope_reach s where s.id = entity_id) or (available_to = 'clients' and scope_is_client(entity_id)));
alter policy mine on venues using (scope_goes_to(id));
alter policy own on venue_rooms using (scope_sees_venue(venue_id));
alter policy reach on training_company_settings using (exists (select 1 from scope_reach s where s.id = entity_id) or scope_is_client_below(entity_id));

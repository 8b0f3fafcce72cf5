-- What a booking with another organisation costs: a place is one that the client has bought by an order, or has the price that the provider's
-- list named when somebody first got one. Within one tree of organisations nothing is paid.
create table booking_prices (
  booking_id uuid not null references bookings (id),
  session_id uuid not null references training_sessions (id),
  per_person_pence integer,
  per_session_pence integer,
  vat_rate numeric(5, 2) not null,
  primary key (booking_id, session_id)
);
create index booking_prices_session on booking_prices (session_id);
select protect('booking_prices', 'exists (select 1 from bookings b where b.id = booking_prices.booking_id)', 'select');
-- The bought place that somebody on a list uses. It is free again once they, or the session, are off.
alter table session_delegates add column licence_id uuid references training_licences (id);
create unique index session_delegates_licence on session_delegates (licence_id) where licence_id is not null;

-- Runs after the one that finds the booking ("session_delegates_booking"): triggers fire in the order of their names.
create function delegate_cost() returns trigger language plpgsql security definer set search_path = public as $$
declare
  b bookings;
  t training_sessions;
  was uuid := case when tg_op = 'UPDATE' then old.licence_id end;
begin
  if new.removed_at is not null then
    new.licence_id := null;
    -- What was assigned by a booking is nobody's again; what somebody has assigned by hand stays theirs.
    update training_licences set user_id = null, assigned_at = null where id = was and assigned_by is null;
    return new;
  end if;
  if tg_op = 'UPDATE' and old.removed_at is null then return new; end if;
  new.licence_id := null;
  if new.booking_id is null then return new; end if;
  select * into b from bookings where id = new.booking_id;
  if exists (select 1 from entity_below x where (x.above = b.provider_id and x.below = b.client_id) or (x.above = b.client_id and x.below = b.provider_id)) then return new; end if;
  select * into t from training_sessions where id = new.session_id;
  insert into booking_prices (booking_id, session_id, per_person_pence, per_session_pence, vat_rate)
    select b.id, t.id, p.per_person_pence, p.per_session_pence, p.vat_rate from training_prices p
    where p.entity_id = b.provider_id and p.course_id = t.course_id and p.valid_from <= t.date order by p.valid_from desc limit 1
    on conflict do nothing;
  -- Their own bought place first, then a free one. Two at once never get the same: whoever comes second passes over a row that is locked, and
  -- finds one assigned meanwhile no longer free.
  update training_licences set user_id = new.user_id, assigned_at = coalesce(assigned_at, new.added_at) where id = (
    select f.id from training_licences f join training_order_lines l on l.id = f.line_id and l.type <> 'elearning' join training_orders o on o.id = f.order_id
    where o.provider_id = b.provider_id and f.course_id = t.course_id and not f.for_all and f.ended_at is null and (f.expires_at is null or f.expires_at > new.added_at)
      and exists (select 1 from entity_below x where x.above = f.entity_id and x.below = b.client_id)
      and (f.user_id = new.user_id or (f.user_id is null and not exists (select 1 from training_licences h where h.line_id = f.line_id and h.user_id = new.user_id)))
      and not exists (select 1 from session_delegates d where d.licence_id = f.id) and licence_use(f.id) is null
    order by f.user_id is null, f.expires_at nulls last, f.created_at, f.id limit 1 for update of f skip locked)
    returning id into new.licence_id;
  return new;
end $$;
create trigger session_delegates_cost before insert or update of removed_at on session_delegates for each row execute function delegate_cost();

-- A price that is named later counts for those booked before, where none was named yet: it never changes one that was.
create function price_bookings(provider uuid, course uuid) returns void language sql security definer set search_path = public as $$
  insert into booking_prices (booking_id, session_id, per_person_pence, per_session_pence, vat_rate)
    select distinct b.id, t.id, p.per_person_pence, p.per_session_pence, p.vat_rate
    from training_sessions t join session_delegates d on d.session_id = t.id and d.removed_at is null join bookings b on b.id = d.booking_id
      cross join lateral (select * from training_prices x where x.entity_id = t.entity_id and x.course_id = t.course_id and x.valid_from <= t.date
        order by x.valid_from desc limit 1) p
    where t.entity_id = provider and t.course_id = course
      and not exists (select 1 from entity_below x where (x.above = b.provider_id and x.below = b.client_id) or (x.above = b.client_id and x.below = b.provider_id))
    on conflict do nothing
$$;
create function price_is_named() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform price_bookings(new.entity_id, new.course_id);
  return null;
end $$;
create trigger training_prices_named after insert or update on training_prices for each row execute function price_is_named();
-- What was booked before there were prices of bookings.
select price_bookings(x.entity_id, x.course_id) from (select distinct entity_id, course_id from training_prices) x;

-- A session that does not take place, and an order that is cancelled, use no bought places.
create function session_frees_places() returns trigger language plpgsql security definer set search_path = public as $$
begin
  with freed as (update session_delegates d set licence_id = null from session_delegates was
    where was.id = d.id and d.session_id = new.id and d.licence_id is not null returning was.licence_id as id)
    update training_licences f set user_id = null, assigned_at = null from freed where f.id = freed.id and f.assigned_by is null;
  return null;
end $$;
create trigger training_sessions_free_places after update of cancelled_at on training_sessions for each row
  when (old.cancelled_at is null and new.cancelled_at is not null) execute function session_frees_places();
create function order_frees_places() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update session_delegates d set licence_id = null from training_licences f where f.id = d.licence_id and f.order_id = new.id;
  return null;
end $$;
create trigger training_orders_free_places after update of state on training_orders for each row
  when (old.state <> 'cancelled' and new.state = 'cancelled') execute function order_frees_places();

-- How many bought places an organisation has left of each course with a provider: its own, and those of the organisations above it.
create function bought_places(provider uuid, client uuid, at timestamptz) returns table (course_id uuid, places integer)
  language plpgsql stable security definer set search_path = public as $$
begin
  if scope_place() is not null and not exists (select 1 from scope_own s where s.id = client) then return; end if;
  return query select f.course_id, count(*)::integer from training_licences f join training_order_lines l on l.id = f.line_id and l.type <> 'elearning' join training_orders o on o.id = f.order_id
    where o.provider_id = provider and f.user_id is null and not f.for_all and f.ended_at is null and (f.expires_at is null or f.expires_at > at)
      and exists (select 1 from entity_below x where x.above = f.entity_id and x.below = client) group by f.course_id;
end $$;

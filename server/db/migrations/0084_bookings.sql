-- Places on training sessions that an organisation books with a provider for its people: itself, one above it, or one that it is a client of.
create table bookings (
  id uuid primary key,
  provider_id uuid not null references entities (id),
  client_id uuid not null references entities (id),
  -- Of its provider; the reference is the prefix of that time and the number.
  number integer not null,
  reference text not null,
  notes text not null default '',
  -- Asked for by somebody who may not book. It holds no place until it is confirmed.
  requested_by uuid references users (id),
  requested_at timestamptz,
  confirmed_at timestamptz,
  confirmed_by uuid references users (id),
  -- Of a request that was not confirmed: declined.
  cancelled_at timestamptz,
  cancelled_by uuid references users (id),
  cancellation_reason text not null default '',
  rev integer not null default 1,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  unique (provider_id, number)
);
create index bookings_client on bookings (client_id, created_at);
create index bookings_provider on bookings (provider_id, created_at);
create index bookings_author on bookings (created_by);
-- For whom which places are booked. How each stands is said by the list of the session and its waiting list.
create table booking_places (
  id uuid primary key,
  booking_id uuid not null references bookings (id),
  session_id uuid not null references training_sessions (id),
  user_id uuid not null references users (id),
  seq bigint generated always as identity,
  unique (booking_id, session_id, user_id)
);
create index booking_places_person on booking_places (session_id, user_id);

alter table session_delegates add column booking_id uuid references bookings (id);
-- What the person says to it, or what is taken as said after the time that the provider allows. Why one declines stands in removed_why.
alter table session_delegates add column accepted_at timestamptz;
alter table session_delegates add column declined_at timestamptz;
create index session_delegates_booking on session_delegates (booking_id) where booking_id is not null;
-- Whoever comes onto a list, in whichever way, is there by the booking that asked for them; they have not answered yet.
create function delegate_of_booking() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.removed_at is null and new.user_id is not null and (tg_op = 'INSERT' or old.removed_at is not null) then
    new.booking_id := (select b.id from booking_places p join bookings b on b.id = p.booking_id
      where p.session_id = new.session_id and p.user_id = new.user_id and b.confirmed_at is not null and b.cancelled_at is null
      order by b.created_at desc limit 1);
    if tg_op = 'UPDATE' then
      new.accepted_at := null;
      new.declined_at := null;
    end if;
  end if;
  return new;
end $$;
create trigger session_delegates_booking before insert or update of removed_at on session_delegates for each row execute function delegate_of_booking();

-- The client sees its bookings, whoever made one sees that, and the provider sees what is confirmed. They are written by the server alone.
select protect('bookings', 'created_by = (select scope_user()) or exists (select 1 from scope_own s where s.id = bookings.client_id)
  or (confirmed_at is not null and exists (select 1 from scope_own s where s.id = bookings.provider_id))', 'select');
select protect('booking_places', 'user_id = (select scope_user()) or exists (select 1 from bookings b where b.id = booking_places.booking_id)', 'select');
-- Sessions that may be booked are seen: those of one's own organisation and of all above it, and what a provider offers its clients.
create policy bookable on training_sessions for select using (
  exists (select 1 from scope_reach s where s.id = training_sessions.entity_id)
  or (available_to = 'clients' and exists (select 1 from training_clients c join scope_reach s on s.id = c.client_id
    where c.provider_id = training_sessions.entity_id and c.ended_at is null)));
-- Of their lists one's own people, and how many places are taken.
create policy people on session_delegates for select using (exists (select 1 from scope_people p where p.id = session_delegates.user_id));
create policy people on session_waiting for select using (exists (select 1 from scope_people p where p.id = session_waiting.user_id));
create function places_taken(session uuid) returns integer language sql stable security definer set search_path = public as $$
  select count(*)::integer from session_delegates d where d.session_id = session and d.same_as is null and d.removed_at is null
$$;
-- What stands in a booking stays readable with it, also once the provider offers it no longer.
create policy booked on training_sessions for select using (exists (select 1 from booking_places p where p.session_id = training_sessions.id));
-- The history of a booking is read by all who see it.
create index audit_log_booking on audit_log (subject_id, no) where subject_kind = 'booking';
create policy booking on audit_log for select using (subject_kind = 'booking' and exists (select 1 from bookings b where b.id::text = audit_log.subject_id));

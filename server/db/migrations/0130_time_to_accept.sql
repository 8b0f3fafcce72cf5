-- Who moves up from a waiting list has so many hours to accept the place; 0: they are booked, and asked as everybody is.
alter table training_company_settings add column waiting_list_accept_hours integer not null default 24 check (waiting_list_accept_hours between 0 and 720);
-- Until when the place is theirs where they have not accepted it, and when they lost it so.
alter table session_delegates add column lapses_at timestamptz, add column lapsed_at timestamptz;
create index session_delegates_lapse on session_delegates (lapses_at)
  where lapses_at is not null and accepted_at is null and removed_at is null and same_as is null;
-- Who is put on a list again is asked anew, if at all.
create or replace function delegate_of_booking() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.removed_at is null and new.user_id is not null and (tg_op = 'INSERT' or old.removed_at is not null) then
    new.booking_id := (select b.id from booking_places p join bookings b on b.id = p.booking_id
      where p.session_id = new.session_id and p.user_id = new.user_id and b.confirmed_at is not null and b.cancelled_at is null
      order by b.created_at desc limit 1);
    if tg_op = 'UPDATE' then
      new.asked_at := null;
      new.accepts_at := null;
      new.accepted_at := null;
      new.declined_at := null;
      new.lapses_at := null;
      new.lapsed_at := null;
    end if;
  end if;
  return new;
end $$;

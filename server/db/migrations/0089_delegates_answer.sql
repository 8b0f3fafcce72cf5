-- Whoever is put on a list, or is on one that is moved, may be asked whether they come: when, and from when on no answer counts as coming
-- (null: never). One answer settles both questions.
alter table session_delegates add column asked_at timestamptz, add column accepts_at timestamptz;
update session_delegates set asked_at = move_asked_at, accepted_at = move_agreed_at where move_asked_at is not null;
-- Who said themselves that they do not come has declined.
update session_delegates set declined_at = removed_at where removed_at is not null and removed_by = user_id;
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
    end if;
  end if;
  return new;
end $$;
-- The part of the country, or the service, that a session is for.
alter table training_sessions add column area text not null default '';

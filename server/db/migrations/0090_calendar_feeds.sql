-- People's own training as a calendar to subscribe to, at an address that works without signing in: only a hash of its secret is kept.
create table calendar_feeds (
  user_id uuid primary key references users (id) on delete cascade,
  secret_hash text not null unique,
  made_at timestamptz not null,
  last_read_at timestamptz,
  -- How often it was read since then.
  reads integer not null default 0,
  reads_since timestamptz not null
);
select protect('calendar_feeds', 'user_id = (select scope_user())');
-- It ends for good when the person leaves, in whichever way that is noted.
create function calendar_feed_ends() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from calendar_feeds where user_id = new.id;
  return null;
end $$;
create trigger calendar_feed_ends after update of disabled_at on users for each row when (new.disabled_at is not null) execute function calendar_feed_ends();

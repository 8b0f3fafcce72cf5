-- One more result in a transaction of its own: what the trigger adds to storing it was mostly the planning of its own small functions, which
-- the database does again for each transaction, and not the changed row of the standing.

-- Stable, as what it calls: only then is it written into the statements that call it. Immutable, it was a function called and planned each time.
create or replace function standing_seconds(at timestamptz) returns bytea language sql stable as $$
  select substring(int8send(case when at is null then 0 else greatest(1, least(4294967295, floor(extract(epoch from at))))::bigint end) from 5)
$$;

-- The same as before, with the schema of each name (below).
create or replace function standing_cell(person uuid, course uuid, no integer) returns bytea language plpgsql stable as $$
declare
  latest record; count integer;
begin
  select r.type, r.completed_at, r.expires_at into latest from public.results r
  where r.user_id = person and r.course_id = course and r.status = 'approved' order by r.completed_at desc, r.created_at desc, r.id desc limit 1;
  if not found then return null; end if;
  select count(*) into count from public.results r where r.user_id = person and r.course_id = course and r.status = 'approved';
  return substring(int4send(no) from 2) || substring(int4send(public.standing_type(latest.type) * 32 + least(31, count)) from 4)
    || public.standing_seconds(latest.completed_at) || public.standing_seconds(latest.expires_at);
end $$;

-- The same as before in fewer steps: each is prepared anew in each transaction.
create or replace function standing_with(cells bytea, person uuid, course uuid, no integer, type integer, completed_at timestamptz, expires_at timestamptz)
  returns bytea language plpgsql volatile as $$
declare
  low integer := 0; high integer := length(cells) / 12; middle integer; kept bytea; had integer;
  sought constant bytea := substring(int4send(no) from 2); completed constant bytea := public.standing_seconds(completed_at);
begin
  while low < high loop
    middle := (low + high) / 2;
    if substring(cells from middle * 12 + 1 for 3) < sought then low := middle + 1; else high := middle; end if;
  end loop;
  low := low * 12;
  if substring(cells from low + 1 for 3) <> sought then
    return substring(cells from 1 for low) || sought || substring(int4send(type * 32 + 1) from 4) || completed || public.standing_seconds(expires_at)
      || substring(cells from low + 1);
  end if;
  kept := substring(cells from low + 5 for 4);
  if kept = completed then return overlay(cells placing public.standing_cell(person, course, no) from low + 1); end if;
  had := get_byte(cells, low + 3);
  if kept > completed then return set_byte(cells, low + 3, (had & 224) | least(31, (had & 31) + 1)); end if;
  return overlay(cells placing substring(int4send(type * 32 + least(31, (had & 31) + 1)) from 4) || completed || public.standing_seconds(expires_at) from low + 4);
end $$;

-- A single result that is the latest of a course with a cell is written by the statement itself; anything else about one is left to
-- standing_with. The bytes of a course's number can also occur across two cells: only at the beginning of one are they its cell. Names carry
-- their schema instead of a search path, which would be set for each call; so do those in what it calls.
create or replace function results_add_to_standings() returns trigger language plpgsql security definer as $$
declare
  added record; packed bytea; person uuid; course uuid; no integer; type integer; completed_at timestamptz; expires_at timestamptz;
  sought bytea; completed bytea; expires bytea;
begin
  select n.user_id, n.course_id, (select c.no from public.courses c where c.id = n.course_id), public.standing_type(n.type), n.completed_at,
    n.expires_at, public.standing_seconds(n.completed_at), public.standing_seconds(n.expires_at)
  into person, course, no, type, completed_at, expires_at, completed, expires
  from new_rows n where n.status = 'approved' and not exists (select from new_rows offset 1);
  if found then
    sought := substring(int4send(no) from 2);
    update public.standings s set cells = case
      when position(sought in s.cells) % 12 = 1 and substring(s.cells from position(sought in s.cells) + 4 for 4) < completed
      then overlay(s.cells placing substring(int4send(type * 32 + least(31, (get_byte(s.cells, position(sought in s.cells) + 2) & 31) + 1)) from 4)
        || completed || expires from position(sought in s.cells) + 3)
      else public.standing_with(s.cells, person, course, no, type, completed_at, expires_at) end
    where s.user_id = person;
    if not found then perform public.settle_standing(person, array[course]); end if;
    return null;
  end if;
  -- In the order of the people, so that two that add for several of them do not wait for each other.
  for added in
    select n.user_id, n.course_id, n.completed_at, n.expires_at, c.no, public.standing_type(n.type) as type
    from new_rows n join public.courses c on c.id = n.course_id where n.status = 'approved' order by n.user_id
  loop
    if person is distinct from added.user_id then
      update public.standings set cells = packed where user_id = person;
      person := added.user_id;
      insert into public.standings (user_id, cells) values (person, '') on conflict do nothing;
      select s.cells into packed from public.standings s where s.user_id = person for update;
    end if;
    packed := public.standing_with(packed, added.user_id, added.course_id, added.no, added.type, added.completed_at, added.expires_at);
  end loop;
  update public.standings set cells = packed where user_id = person;
  return null;
end $$;

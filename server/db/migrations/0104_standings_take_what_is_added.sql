-- How a result that is added changes what is kept of its person can be told from what is kept: it is the latest of its course, or only one
-- more. Until now the results of the course were read again each time, which took longer than storing the result. They still are where
-- something was changed, and where the latest one is of the same second.

-- The same as before, planned once for a connection and not once for each cell.
create or replace function standing_cell(person uuid, course uuid, no integer) returns bytea language plpgsql stable as $$
declare
  latest record; count integer;
begin
  select r.type, r.completed_at, r.expires_at into latest from results r
  where r.user_id = person and r.course_id = course and r.status = 'approved' order by r.completed_at desc, r.created_at desc, r.id desc limit 1;
  if not found then return null; end if;
  select count(*) into count from results r where r.user_id = person and r.course_id = course and r.status = 'approved';
  return substring(int4send(no) from 2) || substring(int4send(standing_type(latest.type) * 32 + least(31, count)) from 4)
    || standing_seconds(latest.completed_at) || standing_seconds(latest.expires_at);
end $$;

-- What is packed of a person with one more result of theirs, which counts. Volatile: two that add one for the same person at once wait for
-- each other's row, and the second begins from what the first has written.
create function standing_with(cells bytea, person uuid, course uuid, no integer, type integer, completed_at timestamptz, expires_at timestamptz)
  returns bytea language plpgsql volatile as $$
declare
  low integer := 0; high integer := length(cells) / 12; middle integer; here bytea; kept bytea;
  sought bytea := substring(int4send(no) from 2); completed bytea := standing_seconds(completed_at); had integer;
begin
  while low < high loop
    middle := (low + high) / 2;
    here := substring(cells from middle * 12 + 1 for 3);
    if here < sought then low := middle + 1; else high := middle; end if;
    exit when here = sought;
  end loop;
  if here is distinct from sought then
    return substring(cells from 1 for low * 12) || sought || substring(int4send(type * 32 + 1) from 4) || completed || standing_seconds(expires_at)
      || substring(cells from low * 12 + 1);
  end if;
  kept := substring(cells from middle * 12 + 5 for 4);
  if kept = completed then return overlay(cells placing standing_cell(person, course, no) from middle * 12 + 1); end if;
  had := get_byte(cells, middle * 12 + 3);
  if kept > completed then return set_byte(cells, middle * 12 + 3, (had & 224) | least(31, (had & 31) + 1)); end if;
  return overlay(cells placing substring(int4send(type * 32 + least(31, (had & 31) + 1)) from 4) || completed || standing_seconds(expires_at) from middle * 12 + 4);
end $$;

create function results_add_to_standings() returns trigger language plpgsql security definer set search_path = public as $$
declare
  added record; person uuid; packed bytea;
begin
  select n.user_id, n.course_id, n.completed_at, n.expires_at, c.no, standing_type(n.type) as type, count(*) over () as all_of_them into added
  from new_rows n join courses c on c.id = n.course_id where n.status = 'approved' limit 1;
  if not found then return null; end if;
  if added.all_of_them = 1 then
    update standings set cells = standing_with(cells, added.user_id, added.course_id, added.no, added.type, added.completed_at, added.expires_at)
    where user_id = added.user_id;
    if not found then perform settle_standing(added.user_id, array[added.course_id]); end if;
    return null;
  end if;
  -- In the order of the people, so that two that add for several of them do not wait for each other.
  for added in
    select n.user_id, n.course_id, n.completed_at, n.expires_at, c.no, standing_type(n.type) as type
    from new_rows n join courses c on c.id = n.course_id where n.status = 'approved' order by n.user_id
  loop
    if person is distinct from added.user_id then
      update standings set cells = packed where user_id = person;
      person := added.user_id;
      insert into standings (user_id, cells) values (person, '') on conflict do nothing;
      select s.cells into packed from standings s where s.user_id = person for update;
    end if;
    packed := standing_with(packed, added.user_id, added.course_id, added.no, added.type, added.completed_at, added.expires_at);
  end loop;
  update standings set cells = packed where user_id = person;
  return null;
end $$;
drop trigger results_added on results;
create trigger results_added after insert on results referencing new table as new_rows for each statement execute function results_add_to_standings();
revoke all on function results_add_to_standings from public;

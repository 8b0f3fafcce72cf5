-- Several results of one person and course that are added by one statement, one of them of the same second as the stored one: the stored cell
-- was recomputed from all of them, and those of another second were counted again. Each course is now taken once, with its latest result and
-- the number of all. A single result reads the number of its course by a statement of its own, which takes less than a subquery.

create function standing_with(cells bytea, person uuid, course uuid, no integer, type integer, completed_at timestamptz, expires_at timestamptz,
  added integer) returns bytea language plpgsql volatile as $$
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
    return substring(cells from 1 for low) || sought || substring(int4send(type * 32 + least(31, added)) from 4) || completed
      || public.standing_seconds(expires_at) || substring(cells from low + 1);
  end if;
  kept := substring(cells from low + 5 for 4);
  if kept = completed then return overlay(cells placing public.standing_cell(person, course, no) from low + 1); end if;
  had := get_byte(cells, low + 3);
  if kept > completed then return set_byte(cells, low + 3, (had & 224) | least(31, (had & 31) + added)); end if;
  return overlay(cells placing substring(int4send(type * 32 + least(31, (had & 31) + added)) from 4) || completed || public.standing_seconds(expires_at) from low + 4);
end $$;

create or replace function results_add_to_standings() returns trigger language plpgsql security definer as $$
declare
  added record; packed bytea; person uuid; course uuid; no integer; type integer; completed_at timestamptz; expires_at timestamptz;
  sought bytea; completed bytea; expires bytea;
begin
  select n.user_id, n.course_id, public.standing_type(n.type), n.completed_at, n.expires_at, public.standing_seconds(n.completed_at),
    public.standing_seconds(n.expires_at)
  into person, course, type, completed_at, expires_at, completed, expires
  from new_rows n where n.status = 'approved' and not exists (select from new_rows offset 1);
  if found then
    select c.no, substring(int4send(c.no) from 2) into no, sought from public.courses c where c.id = course;
    update public.standings s set cells = case
      when position(sought in s.cells) % 12 = 1 and substring(s.cells from position(sought in s.cells) + 4 for 4) < completed
      then overlay(s.cells placing substring(int4send(type * 32 + least(31, (get_byte(s.cells, position(sought in s.cells) + 2) & 31) + 1)) from 4)
        || completed || expires from position(sought in s.cells) + 3)
      else public.standing_with(s.cells, person, course, no, type, completed_at, expires_at, 1) end
    where s.user_id = person;
    if not found then perform public.settle_standing(person, array[course]); end if;
    return null;
  end if;
  -- In the order of the people, so that two that add for several of them do not wait for each other.
  for added in
    select distinct on (n.user_id, n.course_id) n.user_id, n.course_id, n.completed_at, n.expires_at, c.no, public.standing_type(n.type) as type,
      count(*) over (partition by n.user_id, n.course_id)::integer as results
    from new_rows n join public.courses c on c.id = n.course_id where n.status = 'approved'
    order by n.user_id, n.course_id, n.completed_at desc, n.created_at desc, n.id desc
  loop
    if person is distinct from added.user_id then
      update public.standings set cells = packed where user_id = person;
      person := added.user_id;
      insert into public.standings (user_id, cells) values (person, '') on conflict do nothing;
      select s.cells into packed from public.standings s where s.user_id = person for update;
    end if;
    packed := public.standing_with(packed, added.user_id, added.course_id, added.no, added.type, added.completed_at, added.expires_at, added.results);
  end loop;
  update public.standings set cells = packed where user_id = person;
  return null;
end $$;
drop function standing_with(bytea, uuid, uuid, integer, integer, timestamptz, timestamptz);

-- Those that were counted again.
update standings s set cells = standing_of(s.user_id)
where exists (select from results r where r.user_id = s.user_id and r.status = 'approved'
  group by r.course_id, r.created_at having count(*) > 1 and count(distinct date_trunc('second', r.completed_at)) > 1)
  and s.cells <> standing_of(s.user_id);

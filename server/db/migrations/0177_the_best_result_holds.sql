-- How somebody stands with a course follows from the result that holds longest, and not from the latest: a newer one that ends earlier (a short
-- course, an exemption until the 20th) takes nothing from one that is valid for longer. Of those that end together the latest completed.

-- The times of a cell (completion, end) as bytes in the order of how good they are: never is later than any end.
create function standing_worth(times bytea) returns bytea language sql immutable as $$
  select case when substring(times from 5 for 4) = '\x00000000'::bytea then '\xffffffff'::bytea else substring(times from 5 for 4) end || substring(times from 1 for 4)
$$;

create or replace function standing_cell(person uuid, course uuid, no integer) returns bytea language plpgsql stable as $$
declare
  best record; count integer;
begin
  select r.type, r.completed_at, r.expires_at into best from public.results r
  where r.user_id = person and r.course_id = course and r.status = 'approved'
  order by coalesce(r.expires_at, 'infinity') desc, r.completed_at desc, r.created_at desc, r.id desc limit 1;
  if not found then return null; end if;
  select count(*) into count from public.results r where r.user_id = person and r.course_id = course and r.status = 'approved';
  return substring(int4send(no) from 2) || substring(int4send(public.standing_type(best.type) * 32 + least(31, count)) from 4)
    || public.standing_seconds(best.completed_at) || public.standing_seconds(best.expires_at);
end $$;

-- The results are read only where two are equally good to the second.
create or replace function standing_with(cells bytea, person uuid, course uuid, no integer, type integer, completed_at timestamptz, expires_at timestamptz,
  added integer) returns bytea language plpgsql volatile as $$
declare
  low integer := 0; high integer := length(cells) / 12; middle integer; kept bytea; had integer;
  sought constant bytea := substring(int4send(no) from 2);
  times constant bytea := public.standing_seconds(completed_at) || public.standing_seconds(expires_at);
  worth constant bytea := public.standing_worth(times);
begin
  while low < high loop
    middle := (low + high) / 2;
    if substring(cells from middle * 12 + 1 for 3) < sought then low := middle + 1; else high := middle; end if;
  end loop;
  low := low * 12;
  if substring(cells from low + 1 for 3) <> sought then
    return substring(cells from 1 for low) || sought || substring(int4send(type * 32 + least(31, added)) from 4) || times || substring(cells from low + 1);
  end if;
  kept := public.standing_worth(substring(cells from low + 5 for 8));
  if kept = worth then return overlay(cells placing public.standing_cell(person, course, no) from low + 1); end if;
  had := get_byte(cells, low + 3);
  if kept > worth then return set_byte(cells, low + 3, (had & 224) | least(31, (had & 31) + added)); end if;
  return overlay(cells placing substring(int4send(type * 32 + least(31, (had & 31) + added)) from 4) || times from low + 4);
end $$;

create or replace function results_add_to_standings() returns trigger language plpgsql security definer as $$
declare
  added record; packed bytea; person uuid; course uuid; no integer; type integer; completed_at timestamptz; expires_at timestamptz;
  sought bytea; times bytea; worth bytea;
begin
  select n.user_id, n.course_id, public.standing_type(n.type), n.completed_at, n.expires_at,
    public.standing_seconds(n.completed_at) || public.standing_seconds(n.expires_at)
  into person, course, type, completed_at, expires_at, times
  from new_rows n where n.status = 'approved' and not exists (select from new_rows offset 1);
  if found then
    select c.no, substring(int4send(c.no) from 2), public.standing_worth(times) into no, sought, worth from public.courses c where c.id = course;
    update public.standings s set cells = case
      when position(sought in s.cells) % 12 = 1 and public.standing_worth(substring(s.cells from position(sought in s.cells) + 4 for 8)) < worth
      then overlay(s.cells placing substring(int4send(type * 32 + least(31, (get_byte(s.cells, position(sought in s.cells) + 2) & 31) + 1)) from 4)
        || times from position(sought in s.cells) + 3)
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
    order by n.user_id, n.course_id, coalesce(n.expires_at, 'infinity') desc, n.completed_at desc, n.created_at desc, n.id desc
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

create or replace function standings_at(people uuid[], at timestamptz) returns table (user_id uuid, cells bytea) language sql stable as $$
  with known as (
    select r.* from results r where r.user_id = any(people) and (r.changed_at <= at or (r.rev = 1 and r.origin in ('import', 'transfer')))
    union all
    select v.* from results r cross join lateral (
      select p.* from result_versions x cross join lateral jsonb_populate_record(null::results, x.version) p
      where x.result_id = r.id and (p.changed_at <= at or (p.rev = 1 and p.origin in ('import', 'transfer'))) order by x.rev desc limit 1) v
    where r.user_id = any(people) and r.rev > 1 and r.changed_at > at
  ), best as (
    select distinct on (k.user_id, k.course_id) k.user_id, k.course_id, k.type, k.completed_at, k.expires_at
    from known k where k.status = 'approved' and k.completed_at <= at
    order by k.user_id, k.course_id, coalesce(k.expires_at, 'infinity') desc, k.completed_at desc, k.created_at desc, k.id desc
  )
  select l.user_id, string_agg(substring(int4send(c.no) from 2) || set_byte('\x00'::bytea, 0, standing_type(l.type) * 32 + 1)
    || standing_seconds(l.completed_at) || standing_seconds(l.expires_at), ''::bytea order by c.no)
  from best l join courses c on c.id = l.course_id group by l.user_id
$$;

update standings s set cells = standing_of(s.user_id) where s.cells <> standing_of(s.user_id);

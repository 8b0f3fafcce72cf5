-- One record of all training. A line says what was completed, where the line comes from, who entered it and what became of it. It is
-- never overwritten and never deleted: each change keeps the version before it, and 'deleted' is a status.
alter table results
  add column status text not null default 'approved' check (status in ('approved', 'pending', 'rejected', 'deleted')),
  add column origin text not null default 'manual' check (origin in ('attempt', 'register', 'import', 'manual', 'approval', 'pathway', 'transfer')),
  -- How long it is valid was given by the renewal rule, chosen as a day, or has no end: only the first is dated anew with its rule.
  add column expiry text not null default 'rule' check (expiry in ('rule', 'day', 'never')),
  add column content_version integer,
  add column minutes integer check (minutes >= 0),
  add column cpd_hours numeric(6, 2) check (cpd_hours >= 0),
  add column note text not null default '', -- why somebody is exempt, where a certificate is from
  add column certificate_suppressed boolean not null default false,
  add column recorded_by uuid references users (id),
  -- Of this version: which change made it, when, by whom and why.
  add column rev integer not null default 1,
  add column change text not null default 'recorded',
  add column changed_at timestamptz not null default now(),
  add column changed_by uuid references users (id),
  add column change_reason text not null default '';
-- A line that was taken back for a delegate makes room for the next one. A completed attempt has its line once and for all.
alter table results drop constraint results_delegate_id_key;
create unique index results_delegate on results (delegate_id) where status <> 'deleted';
create index results_pending on results (type, created_at, id) where status = 'pending';
create index results_recorded_by on results (recorded_by) where recorded_by is not null;
create index results_changed_by on results (changed_by) where changed_by is not null;

update results set changed_at = created_at, expiry = case when type = 'exempt' then 'never' else 'rule' end,
  origin = case when attempt_id is not null then 'attempt' when delegate_id is not null then 'register' else 'manual' end;
update results r set content_version = a.content_version, minutes = (
    select ceil(sum(s.value::numeric) / 60) from topic_progress t cross join lateral jsonb_each_text(t.seconds) s where t.attempt_id = a.id)
  from attempts a where a.id = r.attempt_id;
update results r set note = b.note, recorded_by = b.actor_id, changed_by = b.actor_id
  from bulk_event_people p join bulk_events b on b.id = p.bulk_id where p.result_id = r.id;

create table result_versions (
  result_id uuid not null references results (id),
  rev integer not null,
  version jsonb not null,
  primary key (result_id, rev)
);
create trigger result_versions_stay before update or delete or truncate on result_versions for each statement execute function stays_as_written();
select protect('result_versions', 'exists (select 1 from results r where r.id = result_versions.result_id)', 'select');

create function result_keeps_its_version() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into result_versions (result_id, rev, version) values (old.id, old.rev, to_jsonb(old));
  new.rev := old.rev + 1;
  return new;
end $$;
create trigger results_keep_versions before update on results for each row when (old.* is distinct from new.*) execute function result_keeps_its_version();
create trigger results_stay before delete or truncate on results for each statement execute function stays_as_written();

-- What counts. Whoever asks how somebody stands asks here.
create view current_results with (security_invoker = true) as select * from results where status = 'approved';
grant select on current_results to lantern_scoped;

create or replace function step_done_at(person uuid, course uuid, since date) returns timestamptz language sql stable as $$
  select min(r.completed_at) from results r join users u on u.id = r.user_id join entity_names e on e.id = u.primary_entity_id
  where r.user_id = person and r.course_id = course and r.status = 'approved' and (r.completed_at >= since::timestamp at time zone e.time_zone or r.expires_at is null
    or r.expires_at > since::timestamp at time zone e.time_zone)
$$;

-- How each person stands with each course, kept: the latest result that counts, packed so that many people are read at once. A cell has 12
-- bytes, in the order of the courses' numbers: number (3), type and count (1: three bits, five bits up to 31), completed and expires (4 each,
-- seconds since 1970; expires 0: never). server/features/results/standing.ts reads it.
alter table courses add column no integer generated always as identity;
create unique index courses_no on courses (no);
create or replace view course_titles as select id, title, short_title, delivery, entity_id, no from courses;
create table standings (user_id uuid primary key references users (id), cells bytea not null) with (toast_tuple_target = 8160, fillfactor = 70);
alter table standings alter column cells set storage external;
select protect('standings', 'user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = standings.user_id)', 'select');

create function standing_seconds(at timestamptz) returns bytea language sql immutable as $$
  select substring(int8send(case when at is null then 0 else greatest(1, least(4294967295, floor(extract(epoch from at))))::bigint end) from 5)
$$;
create function standing_type(type text) returns integer language sql immutable as $$
  select case type when 'elearning' then 0 when 'exempt' then 1 when 'face2face' then 2 when 'historical' then 3 when 'scorm' then 4
    when 'assessment' then 5 when 'pathway' then 6 else 7 end
$$;
-- One cell from the results themselves; null where none counts. Of two at the same time the one that was recorded later is the latest.
create function standing_cell(person uuid, course uuid, no integer) returns bytea language sql stable as $$
  select substring(int4send(standing_cell.no) from 2) || set_byte('\x00'::bytea, 0, standing_type(r.type) * 32 + least(31, (
      select count(*) from results c where c.user_id = person and c.course_id = course and c.status = 'approved'))::int)
    || standing_seconds(r.completed_at) || standing_seconds(r.expires_at)
  from results r where r.user_id = person and r.course_id = course and r.status = 'approved'
  order by r.completed_at desc, r.created_at desc, r.id desc limit 1
$$;
create function standing_of(person uuid) returns bytea language sql stable as $$
  select coalesce(string_agg(standing_cell(person, d.course_id, c.no), ''::bytea order by c.no), ''::bytea)
  from (select distinct course_id from results where user_id = person and status = 'approved') d join courses c on c.id = d.course_id
$$;
create function settle_standing(person uuid, changed uuid[]) returns void language plpgsql security definer set search_path = public as $$
declare
  packed bytea; course record; cell bytea; low integer; high integer; middle integer; here integer; length_now integer;
begin
  select s.cells into packed from standings s where s.user_id = person for update;
  if not found then
    insert into standings (user_id, cells) values (person, '') on conflict do nothing;
    select s.cells into packed from standings s where s.user_id = person for update;
  end if;
  for course in select c.id, c.no from courses c where c.id = any(changed) loop
    cell := coalesce(standing_cell(person, course.id, course.no), ''::bytea);
    length_now := 0; low := 0; high := length(packed) / 12;
    while low < high loop
      middle := (low + high) / 2;
      here := get_byte(packed, middle * 12) * 65536 + get_byte(packed, middle * 12 + 1) * 256 + get_byte(packed, middle * 12 + 2);
      if here < course.no then low := middle + 1; else high := middle; if here = course.no then length_now := 12; end if; end if;
    end loop;
    packed := substring(packed from 1 for low * 12) || cell || substring(packed from low * 12 + length_now + 1);
  end loop;
  update standings set cells = packed where user_id = person;
end $$;
create function results_settle_standings() returns trigger language plpgsql security definer set search_path = public as $$
declare
  touched record;
begin
  for touched in select n.user_id, array_agg(distinct n.course_id) as courses from new_rows n group by n.user_id order by n.user_id loop
    perform settle_standing(touched.user_id, touched.courses);
  end loop;
  return null;
end $$;
create trigger results_added after insert on results referencing new table as new_rows for each statement execute function results_settle_standings();
create trigger results_changed after update on results referencing new table as new_rows for each statement execute function results_settle_standings();
revoke all on function settle_standing, results_settle_standings, result_keeps_its_version from public;
insert into standings (user_id, cells) select p.user_id, standing_of(p.user_id) from (select distinct user_id from results) p;
-- Whose line it is, and of which course, does not change.
create function result_is_of_one_person() returns trigger language plpgsql as $$ begin raise exception 'a result stays with its person and course'; end $$;
create trigger results_of_one_person before update of user_id, course_id on results for each row
  when (old.user_id <> new.user_id or old.course_id <> new.course_id) execute function result_is_of_one_person();

-- How what a job role or a course asks for is renewed. Of a job role null: as the course says.
alter table courses
  add column renewal_kind text not null default 'rolling' check (renewal_kind in ('rolling', 'window', 'fixed')),
  add column renewal_window integer not null default 0 check (renewal_window between 0 and 366),
  add column renewal_on text check (renewal_on ~ '^[01][0-9]-[0-3][0-9]$');
alter table compliance
  add column renewal_kind text check (renewal_kind in ('rolling', 'window', 'fixed')),
  add column renewal_window integer check (renewal_window between 0 and 366),
  add column renewal_on text check (renewal_on ~ '^[01][0-9]-[0-3][0-9]$');

-- A session for night staff ends the next day: at an hour that is not after the one at which it begins. 20:00 to 00:00 does, too.
do $$
declare
  name text;
begin
  for name in select c.conname from pg_constraint c where c.conrelid = 'training_sessions'::regclass and c.contype = 'c'
    and pg_get_constraintdef(c.oid) like '%end_time > start_time%'
  loop
    execute format('alter table training_sessions drop constraint %I', name);
  end loop;
end $$;
alter table training_sessions add constraint training_sessions_end_time_check check (end_time <> start_time);

-- When a session begins and ends in local time (contract/rules/session-times.ts, sessionInstants).
create function session_starts(day date, begins time) returns timestamp language sql immutable as $$ select day + begins $$;
create function session_ends(day date, begins time, ends time) returns timestamp language sql immutable as $$
  select day + ends + case when ends <= begins then interval '1 day' else interval '0' end
$$;

create or replace function trainer_sessions_at(trainer uuid, day date, begins text, ends text) returns table (id uuid, start_time text, end_time text)
  language plpgsql stable security definer set search_path = public as $$
begin
  if scope_user() is not null and trainer <> scope_user() and not exists (select 1 from scope_people p where p.id = trainer) then return; end if;
  return query select t.id, to_char(t.start_time::time, 'HH24:MI'), to_char(t.end_time::time, 'HH24:MI') from training_sessions t
    where t.trainer_id = trainer and t.date between day - 1 and day + 1 and t.cancelled_at is null
      and session_starts(t.date, t.start_time::time) < session_ends(day, begins::time, ends::time)
      and session_ends(t.date, t.start_time::time, t.end_time::time) > session_starts(day, begins::time);
end $$;

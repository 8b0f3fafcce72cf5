-- Days are those of the organisation. One time zone holds for a whole tree of organisations, that of the one at its top: whoever
-- reads what stands below it sees one kind of day.
alter table entities add column time_zone text not null default 'Europe/London';

create function time_zone_of_the_tree() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.parent_id is not null then
    new.time_zone := (select p.time_zone from entities p where p.id = new.parent_id);
  end if;
  return new;
end $$;
create trigger entities_time_zone before insert or update of parent_id, time_zone on entities for each row execute function time_zone_of_the_tree();
create function time_zone_for_those_below() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update entities set time_zone = new.time_zone where parent_id = new.id and time_zone <> new.time_zone;
  return null;
end $$;
create trigger entities_time_zone_below after update of parent_id, time_zone on entities for each row
  when (old.time_zone is distinct from new.time_zone) execute function time_zone_for_those_below();

create or replace view entity_names as select id, name, slug, time_zone from entities;

-- What is due by a day begins with that day where the person's organisation is, whatever time zone the connection has.
create or replace function step_done_at(person uuid, course uuid, since date) returns timestamptz language sql stable as $$
  select min(r.completed_at) from results r join users u on u.id = r.user_id join entity_names e on e.id = u.primary_entity_id
  where r.user_id = person and r.course_id = course and (r.completed_at >= since::timestamp at time zone e.time_zone or r.expires_at is null
    or r.expires_at > since::timestamp at time zone e.time_zone)
$$;

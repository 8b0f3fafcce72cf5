-- Where people belonged and what they worked as before each change of that: from the change before it up to `until`. Where there is no row
-- after an instant, it was as it is now. Of changes in one transaction only what was before all of them is kept.
create table past_placements (
  user_id uuid not null references users (id) on delete cascade,
  until timestamptz not null,
  entity_id uuid not null, -- it may be gone by now, as may job roles
  role_id uuid,
  more_roles text, -- the further ones, in order, with commas between them
  disabled_at timestamptz,
  primary key (user_id, until)
);
create index past_placements_place on past_placements (entity_id, until);
select protect('past_placements', 'user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = past_placements.user_id)', 'select');

create function keep_placement(person users) returns void language sql security definer set search_path = public as $$
  insert into past_placements (user_id, until, entity_id, role_id, more_roles, disabled_at)
  values (person.id, now(), person.primary_entity_id, person.role_id,
    (select string_agg(r.role_id::text, ',' order by r.role_id) from user_roles r where r.user_id = person.id), person.disabled_at)
  on conflict do nothing
$$;
revoke all on function keep_placement from public;
create function user_was_placed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform keep_placement(old);
  return new;
end $$;
create trigger users_keep_placements before update of primary_entity_id, role_id, disabled_at on users for each row
  when ((old.primary_entity_id, old.role_id, old.disabled_at) is distinct from (new.primary_entity_id, new.role_id, new.disabled_at))
  execute function user_was_placed();
create function user_had_roles() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform keep_placement(u) from users u where u.id = coalesce(old.user_id, new.user_id);
  return coalesce(new, old);
end $$;
create trigger user_roles_keep_placements before insert or delete on user_roles for each row execute function user_had_roles();

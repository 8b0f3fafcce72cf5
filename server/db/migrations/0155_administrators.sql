-- An organisation keeps somebody who can administer it. Read by the owner of the tables: who does so may belong to an organisation above,
-- which the caller does not see.

-- Whether a person who has not left holds all of these permissions, wherever they come from.
create function holds_all(person uuid, needed int[]) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from users u where u.id = person and u.disabled_at is null and (u.super_admin or needed <@ array(
    select t.permission_id from type_permissions t where t.type_id = u.type_id
    union select x.permission_id from entity_permissions x where x.entity_id = u.primary_entity_id
    union select p.permission_id from user_permissions p where p.user_id = u.id)::int[]))
$$;

-- The organisations at or below one that nobody at or above them administers.
create function left_without_administrator(top uuid, needed int[]) returns setof uuid language sql stable security definer set search_path = public as $$
  with administered as materialized (
    select distinct u.primary_entity_id as place from users u
    where u.disabled_at is null and holds_all(u.id, needed)
      and u.primary_entity_id in (select above from entity_below where below = top union select below from entity_below where above = top))
  select b.below from entity_below b
  where b.above = top and not exists (select 1 from administered a join entity_below k on k.above = a.place where k.below = b.below)
$$;

-- The permissions that somebody at or above an organisation has and could give: they hold one of `granting` as well.
create function permissions_to_give(entity uuid, granting int[]) returns setof int language sql stable security definer set search_path = public as $$
  with givers as materialized (
    select u.id, u.type_id, u.primary_entity_id from users u
    where u.disabled_at is null and u.primary_entity_id in (select above from entity_below where below = entity) and holds_all(u.id, granting))
  select t.permission_id from givers g join type_permissions t on t.type_id = g.type_id
  union select x.permission_id from givers g join entity_permissions x on x.entity_id = g.primary_entity_id
  union select p.permission_id from givers g join user_permissions p on p.user_id = g.id
$$;

-- One change at a time of who administers the organisations of a tree.
create function lock_administrators(entity uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('administrators ' || e.id::text, 0))
    from entity_below b join entities e on e.id = b.above where b.below = entity and e.parent_id is null;
end $$;

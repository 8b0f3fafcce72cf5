-- Whoever approves a certificate signs it, as it stood: `sealed` is the last link of its chain when they did, `doubtful` how many
-- of its records not everybody had signed. An approval is taken back by an entry about it, never by a change of it.
alter table certificate_approvals
  add column method text check (method in ('drawn', 'pin', 'signed_in')),
  add column drawing text,
  add column sealed text,
  add column doubtful integer check (doubtful >= 0),
  add column withdraws uuid references certificate_approvals (id),
  add check ((method = 'drawn') = (drawing is not null) or method is null and drawing is null),
  add check (withdraws is null or not approved);
create unique index certificate_approvals_withdraws on certificate_approvals (withdraws) where withdraws is not null;

-- Organisations may come in any order: one whose parent is not there yet has the parent's time zone as soon as that is.
create or replace function time_zone_of_the_tree() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.parent_id is not null then
    new.time_zone := coalesce((select p.time_zone from entities p where p.id = new.parent_id), new.time_zone);
  end if;
  return new;
end $$;
create trigger entities_time_zone_of_new after insert on entities for each row execute function time_zone_for_those_below();

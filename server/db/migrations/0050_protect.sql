-- How a migration opens a new table to requests: only the rows that `rule` is true for, and only with these rights.
create function protect(target regclass, rule text, rights text default 'select, insert, update, delete') returns void language plpgsql as $$
begin
  execute format('create policy own on %s using (%s)', target, rule);
  execute format('alter table %s enable row level security', target);
  execute format('grant %s on %s to lantern_scoped', rights, target);
end $$;
revoke all on function protect from public;

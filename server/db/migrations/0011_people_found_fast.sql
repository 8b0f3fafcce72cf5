-- Lists of many thousand people: in the order of their names, and found by a part of a name or an address.
create index users_name on users (name, id);
-- Only where the server has the extension (the embedded database has few people and does without).
do $$ begin
  if exists (select 1 from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    create index users_name_part on users using gin (name gin_trgm_ops);
    create index users_email_part on users using gin (email gin_trgm_ops);
    create index entities_name_part on entities using gin (name gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise notice 'pg_trgm could not be installed: searches among many thousand people are slower without it';
end $$;

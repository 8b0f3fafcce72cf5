-- Every result has a number that stands on its certificate: unique, not to be guessed, and with a check character
-- (contract/rules/certificate-number.ts), so that a mistyped one is recognised. A default, so that every way in which a result comes about
-- gives one; it stays with the result whatever is corrected.
create function new_certificate_number() returns text language plpgsql volatile as $$
declare
  letters constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  -- Its random bytes: the others hold the version of the uuid.
  random constant bytea := uuid_send(gen_random_uuid());
  number text := '';
  remainder integer := 0;
  place integer;
  value integer;
begin
  foreach place in array array[0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13] loop
    value := get_byte(random, place) & 31;
    number := number || substr(letters, value + 1, 1);
    remainder := (((remainder << 1) & 31) # case when remainder >= 16 then 5 else 0 end) # value;
  end loop;
  return number || substr(letters, (((remainder << 1) & 31) # case when remainder >= 16 then 5 else 0 end) + 1, 1);
end $$;
alter table results add column certificate_number text not null default new_certificate_number();
alter table results add constraint results_certificate_number unique (certificate_number);

create function result_keeps_its_number() returns trigger language plpgsql as $$ begin raise exception 'a result keeps its certificate number'; end $$;
create trigger results_keep_numbers before update of certificate_number on results for each row
  when (old.certificate_number <> new.certificate_number) execute function result_keeps_its_number();

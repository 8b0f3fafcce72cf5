-- Inspection packs: how the people of an organisation stood at one moment. A row is written when one is asked for, and completed once, when it
-- is frozen: from then on nothing of it changes, and it cannot be deleted. Its files lie in the file store under their hashes. `previous` is the
-- hash of the organisation's pack before: two cannot follow the same one, so none can be taken out unseen.
create table inspections (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  name text not null,
  asked jsonb not null,
  chosen text not null,
  asked_by uuid not null references users (id),
  acting_as_id uuid references entities (id),
  asked_at timestamptz not null,
  frozen_at timestamptz,
  previous text,
  hash text unique,
  manifest text,
  signature jsonb,
  data_hash text,
  pdf_hash text,
  zip_hash text,
  pdf_bytes bigint not null default 0,
  zip_bytes bigint not null default 0,
  people integer not null default 0,
  courses integer not null default 0,
  certificates integer not null default 0,
  care_certificates integer not null default 0,
  required integer not null default 0,
  in_date integer not null default 0,
  score integer
);
create index inspections_entity on inspections (entity_id, asked_at);
create unique index inspections_follow on inspections (entity_id, coalesce(previous, '')) where hash is not null;
create table inspection_files (
  inspection_id uuid not null references inspections (id),
  name text not null,
  hash text not null,
  primary key (inspection_id, name)
);
create index inspection_files_hash on inspection_files (hash);
select protect('inspections', 'exists (select 1 from scope_own s where s.id = inspections.entity_id)', 'select, insert, update');
select protect('inspection_files', 'exists (select 1 from inspections i where i.id = inspection_files.inspection_id)', 'select, insert');

-- What is frozen stays as it is, whoever asks the database to change it.
create function inspection_is_frozen() returns trigger language plpgsql as $$
begin
  if old.hash is not null then raise exception 'an inspection pack that is frozen is never changed'; end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger frozen before update or delete on inspections for each row execute function inspection_is_frozen();

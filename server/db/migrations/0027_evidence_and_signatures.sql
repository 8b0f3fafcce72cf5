-- What people say of a record with their name, bound to what it says: only ever added, and part of the certificate's chain.
create table observation_signatures (
  id uuid primary key,
  certificate_id uuid not null references care_certificates (id),
  about uuid not null references observations (id),
  signer text not null check (signer in ('assessor', 'learner', 'witness', 'verifier')),
  method text not null check (method in ('drawn', 'pin', 'signed_in')),
  drawing text,
  content text not null,
  agrees boolean,
  comment text not null,
  by_id uuid not null references users (id),
  at timestamptz not null,
  received_at timestamptz not null,
  check ((method = 'drawn') = (drawing is not null)),
  check ((signer = 'learner') = (agrees is not null))
);
create index observation_signatures_certificate on observation_signatures (certificate_id);

-- How closely somebody is looked after in what a standard is about: said anew, never changed.
create table supervision_grants (
  id uuid primary key,
  certificate_id uuid not null references care_certificates (id),
  standard text not null,
  level text not null check (level in ('line_of_sight', 'indirect')),
  note text not null,
  by_id uuid not null references users (id),
  at timestamptz not null,
  received_at timestamptz not null
);
create index supervision_grants_certificate on supervision_grants (certificate_id);

-- Files of records. They come in pieces; when the last one is there the file is put where files lie, and the pieces go.
-- `sent_hash` is that of the bytes as they came, which the record names; `hash` that of the file as it is kept.
create table care_evidence (
  id uuid primary key,
  certificate_id uuid not null references care_certificates (id),
  bytes integer not null,
  uploaded_by uuid not null references users (id),
  begun_at timestamptz not null,
  received_at timestamptz,
  fit boolean,
  type text,
  kept_bytes integer,
  hash text,
  sent_hash text
);
create index care_evidence_certificate on care_evidence (certificate_id);
create table care_evidence_parts (
  file_id uuid not null references care_evidence (id),
  part integer not null,
  certificate_id uuid not null references care_certificates (id),
  bytes bytea not null,
  primary key (file_id, part)
);

create trigger observation_signatures_chained after insert on observation_signatures for each row execute function chain_entry();
create trigger supervision_grants_chained after insert on supervision_grants for each row execute function chain_entry();
create trigger observation_signatures_append_only before update or delete on observation_signatures for each row execute function only_ever_added();
create trigger supervision_grants_append_only before update or delete on supervision_grants for each row execute function only_ever_added();

create or replace function broken_chains() returns table (certificate_id uuid, seq integer, entry text, problem text) language sql stable as $$
  with linked as (
    select c.*, lag(c.hash, 1, c.certificate_id::text) over (partition by c.certificate_id order by c.seq) as before,
      row_number() over (partition by c.certificate_id order by c.seq) as place
    from certificate_chain c),
  entries as (
    select o.certificate_id, 'observations' as entry, o.id, to_jsonb(o) as is_now from observations o
    union all select d.certificate_id, 'criterion_decisions', d.id, to_jsonb(d) from criterion_decisions d
    union all select a.certificate_id, 'certificate_approvals', a.id, to_jsonb(a) from certificate_approvals a
    union all select s.certificate_id, 'observation_signatures', s.id, to_jsonb(s) from observation_signatures s
    union all select g.certificate_id, 'supervision_grants', g.id, to_jsonb(g) from supervision_grants g),
  problems as (
    select l.certificate_id, l.seq, l.entry || ' ' || l.entry_id as entry,
      case when l.seq <> l.place then 'an entry before it is missing'
        when l.hash <> encode(sha256(convert_to(l.before || l.entry || l.content, 'UTF8')), 'hex') then 'its place in the chain was changed'
        when e.id is null then 'it was removed'
        when not e.is_now @> l.content::jsonb then 'it was changed' end as problem
    from linked l left join entries e on e.certificate_id = l.certificate_id and e.entry = l.entry and e.id = l.entry_id
    union all
    select e.certificate_id, 2147483647, e.entry || ' ' || e.id, 'it is not in the chain' from entries e
    where not exists (select 1 from certificate_chain c where c.certificate_id = e.certificate_id and c.entry = e.entry and c.entry_id = e.id))
  select distinct on (certificate_id) certificate_id, seq, entry, problem from problems where problem is not null order by certificate_id, seq
$$;

do $$
declare t text;
begin
  foreach t in array array['observation_signatures', 'supervision_grants', 'care_evidence', 'care_evidence_parts'] loop
    execute format('create policy own on %I using (scope_sees_certificate(certificate_id))', t);
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert on %I to lantern_scoped', t);
  end loop;
end $$;
grant update on care_evidence to lantern_scoped;
grant update, delete on care_evidence_parts to lantern_scoped;

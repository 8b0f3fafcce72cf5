-- What is only ever added to is put back as it was when a backup is restored; nobody else, and no request, may.
create or replace function only_ever_added() returns trigger language plpgsql as $$
begin
  if current_setting('lantern.restoring', true) = 'on' and current_user <> 'lantern_scoped' then return case tg_op when 'DELETE' then old else new end; end if;
  raise exception '% is only ever added to', tg_table_name;
end $$;

-- The standards of the care certificate are data: a version is written once and never changed, for certificates stand on it.
create table care_standards (
  id text primary key,
  name text not null,
  valid_from date not null,
  document jsonb not null
);
create trigger care_standards_append_only before update or delete on care_standards for each row execute function only_ever_added();
grant select on care_standards to lantern_scoped;
alter table care_certificates
  add column standards_id text not null default 'england-2025',
  add column approved_at timestamptz,
  -- Since when every criterion has been met; none while one is not.
  add column met_at timestamptz;
alter table entities add column notify_all_standards_selected boolean not null default false;

-- Everything that is said of a certificate, in the order it came, each chained to the one before: who changes or removes one
-- afterwards, also past the triggers, breaks the chain from there on. `content` is the entry as it was written.
create table certificate_chain (
  certificate_id uuid not null references care_certificates (id),
  seq integer not null,
  entry text not null,
  entry_id uuid not null,
  content text not null,
  hash text not null,
  primary key (certificate_id, seq)
);
create unique index certificate_chain_entry on certificate_chain (entry_id);
create function chain_entry() returns trigger language plpgsql security definer set search_path = public as $$
declare
  last record;
  written text := to_jsonb(new)::text;
begin
  -- A backup brings its chain with it.
  if current_setting('lantern.restoring', true) = 'on' then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended(new.certificate_id::text, 0));
  select seq, hash into last from certificate_chain where certificate_id = new.certificate_id order by seq desc limit 1;
  insert into certificate_chain (certificate_id, seq, entry, entry_id, content, hash)
  values (new.certificate_id, coalesce(last.seq, 0) + 1, tg_table_name, new.id, written,
    encode(sha256(convert_to(coalesce(last.hash, new.certificate_id::text) || tg_table_name || written, 'UTF8')), 'hex'));
  return null;
end $$;

-- What the registered manager says of the whole: approved, or sent back with a reason. Only ever added to.
create table certificate_approvals (
  id uuid primary key,
  certificate_id uuid not null references care_certificates (id),
  approved boolean not null,
  reason text,
  by_id uuid not null references users (id),
  at timestamptz not null,
  check (approved or reason is not null)
);
create index certificate_approvals_certificate on certificate_approvals (certificate_id, at);

-- What is there already is chained as it came.
do $$
declare
  e record;
  last text;
  n integer;
  of uuid;
begin
  for e in select * from (
      select certificate_id, 'observations' as entry, id, to_jsonb(o)::text as content, received_at, at from observations o
      union all select certificate_id, 'criterion_decisions', id, to_jsonb(d)::text, received_at, at from criterion_decisions d) x
    order by certificate_id, received_at, entry desc, at, id loop
    if of is distinct from e.certificate_id then
      of := e.certificate_id; n := 0; last := of::text;
    end if;
    n := n + 1;
    last := encode(sha256(convert_to(last || e.entry || e.content, 'UTF8')), 'hex');
    insert into certificate_chain values (e.certificate_id, n, e.entry, e.id, e.content, last);
  end loop;
end $$;
create trigger observations_chained after insert on observations for each row execute function chain_entry();
create trigger criterion_decisions_chained after insert on criterion_decisions for each row execute function chain_entry();
create trigger certificate_approvals_chained after insert on certificate_approvals for each row execute function chain_entry();
create trigger certificate_chain_append_only before update or delete on certificate_chain for each row execute function only_ever_added();
create trigger certificate_approvals_append_only before update or delete on certificate_approvals for each row execute function only_ever_added();

-- The certificates whose chain does not hold, with the first entry that is not as it was written.
create function broken_chains() returns table (certificate_id uuid, seq integer, entry text, problem text) language sql stable as $$
  with linked as (
    select c.*, lag(c.hash, 1, c.certificate_id::text) over (partition by c.certificate_id order by c.seq) as before,
      row_number() over (partition by c.certificate_id order by c.seq) as place
    from certificate_chain c),
  entries as (
    select o.certificate_id, 'observations' as entry, o.id, to_jsonb(o) as is_now from observations o
    union all select d.certificate_id, 'criterion_decisions', d.id, to_jsonb(d) from criterion_decisions d
    union all select a.certificate_id, 'certificate_approvals', a.id, to_jsonb(a) from certificate_approvals a),
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
  foreach t in array array['certificate_chain', 'certificate_approvals'] loop
    execute format('create policy own on %I using (scope_sees_certificate(certificate_id))', t);
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert on %I to lantern_scoped', t);
  end loop;
end $$;

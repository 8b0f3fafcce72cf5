-- Whoever records training by hand adds what proves it, where the organisation asks for that.
alter table entities add column require_training_record_evidence boolean not null default false;
-- A certificate from elsewhere or a signed register: a picture, drawn anew, or a PDF. The file lies in the file store.
create table evidence (
  id uuid primary key, hash text not null, name text not null, type text not null check (type in ('application/pdf', 'image/jpeg')), bytes integer not null,
  entity_id uuid not null references entities (id), uploaded_by uuid not null references users (id), created_at timestamptz not null
);
alter table bulk_events add column evidence_id uuid references evidence (id);
alter table results add column evidence_id uuid references evidence (id);
create index results_evidence on results (evidence_id) where evidence_id is not null;
-- Seen where it was added, and with the results that it proves.
create policy reach on evidence for select using (exists (select 1 from scope_own s where s.id = evidence.entity_id) or exists (select 1 from results r where r.evidence_id = evidence.id));
create policy added on evidence for insert with check (exists (select 1 from scope_own s where s.id = evidence.entity_id));
alter table evidence enable row level security;
grant select, insert on evidence to lantern_scoped;

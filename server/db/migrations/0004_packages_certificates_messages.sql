-- What was done inside SCORM packages: each session keeps its own data; one of them is gone on with.
create table scorm_sessions (
  attempt_id uuid not null references attempts (id) on delete cascade, item_id text not null, session_id uuid not null, at timestamptz not null,
  ticks integer not null, seconds integer not null, completion text not null, success text not null, score float8, percent float8 not null, cmi jsonb not null,
  primary key (attempt_id, item_id, session_id)
);
create table scorm_resumes (
  attempt_id uuid not null references attempts (id) on delete cascade, item_id text not null, session_id uuid not null, primary key (attempt_id, item_id)
);
-- What H5P activities reported: only ever added to, each statement once.
create table h5p_statements (
  attempt_id uuid not null references attempts (id) on delete cascade, id uuid not null, item_id text not null, at timestamptz not null, verb text not null,
  statement jsonb not null, received_at timestamptz not null, primary key (attempt_id, id)
);
create table h5p_states (
  attempt_id uuid not null references attempts (id) on delete cascade, item_id text not null, state text not null, at timestamptz not null, primary key (attempt_id, item_id)
);

-- A person's care certificate, the entries of its assessors, and what counts for each criterion.
create table care_certificates (
  id uuid primary key, user_id uuid not null unique references users (id), assigned_by uuid not null references users (id), assigned_at timestamptz not null,
  rev integer not null default 0
);
create table observations (
  id uuid primary key, certificate_id uuid not null references care_certificates (id), kind text not null check (kind in ('observation', 'correction', 'withdrawal')),
  about uuid references observations (id), reason text, record jsonb, assessor_id uuid not null references users (id), at timestamptz not null, received_at timestamptz not null,
  check ((kind = 'observation') = (about is null)), check ((kind = 'withdrawal') = (record is null))
);
create index observations_certificate on observations (certificate_id, received_at);
create table criterion_decisions (
  id uuid primary key, certificate_id uuid not null references care_certificates (id), criterion text not null, outcome text not null check (outcome in ('met', 'not_yet_met', 'not_observed')),
  observation_id uuid not null references observations (id), instead_of uuid references criterion_decisions (id), decided_by uuid not null references users (id),
  at timestamptz not null, received_at timestamptz not null, unique nulls not distinct (certificate_id, criterion, instead_of)
);
-- Entries and decisions are never changed and never removed.
create function only_ever_added() returns trigger language plpgsql as $$ begin raise exception '% is only ever added to', tg_table_name; end $$;
create trigger observations_append_only before update or delete on observations for each row execute function only_ever_added();
create trigger criterion_decisions_append_only before update or delete on criterion_decisions for each row execute function only_ever_added();

-- Messages between two people. A person's removal hides a message from them only.
create table messages (
  id uuid primary key, sender_id uuid not null references users (id), recipient_id uuid not null references users (id), message text not null,
  sent_at timestamptz not null, received_at timestamptz not null, read_at timestamptz, hidden_by_sender boolean not null default false, hidden_by_recipient boolean not null default false,
  check (sender_id <> recipient_id)
);
create index messages_recipient on messages (recipient_id, received_at desc);
create index messages_sender on messages (sender_id, received_at desc);

-- What became of a change is known for as long as its id, the whole answer only for a while.
alter table ledger add column outcome text;
update ledger set outcome = coalesce(answer ->> 'outcome', 'applied');
alter table ledger alter column outcome set not null;
create index ledger_at on ledger (at);
create index refusals_at on refusals (at desc);

-- Which history of data this database holds: changed when it is restored from a backup, so that devices send again.
insert into settings (key, value) values ('data_epoch', gen_random_uuid()::text) on conflict (key) do nothing;

-- What a device said of itself the last time it was heard: one row for each person who uses it.
create table device_contacts (
  device_id text not null, user_id uuid not null references users (id) on delete cascade,
  contact_at timestamptz not null, app_version text not null, waiting integer not null, needs_person integer not null, oldest_waiting_at timestamptz,
  storage_used bigint, storage_quota bigint, persisted boolean not null, clock_behind_ms bigint not null, locked_by text[] not null, incidents jsonb not null default '[]',
  primary key (device_id, user_id)
);
create index device_contacts_user on device_contacts (user_id);

-- The organisation's pair of keys: devices wrap a person's data key for it, so that a forgotten PIN loses nothing.
create table organisation_keys (
  kid uuid primary key, entity_id uuid not null unique references entities (id), public_jwk jsonb not null, private_sealed bytea not null, created_at timestamptz not null default now()
);

-- Work that came in a sealed copy and that nobody can send any more: it waits for a manager's decision.
create table held_work (
  entry_id uuid primary key, user_id uuid not null references users (id), lane text not null, change jsonb not null, sentence text not null,
  imported_by uuid not null references users (id), imported_at timestamptz not null, reason text not null,
  decision text check (decision in ('applied', 'dismissed')), decided_by uuid references users (id), decided_at timestamptz, note text
);
create index held_work_user on held_work (user_id);

-- A locked tablet locks its session too: the server then answers nothing until it hears the secret again.
alter table sessions add column unlock_hash text, add column locked_at timestamptz;

-- What a person asked their manager about a refusal, the answer, and whether it is kept as evidence.
alter table refusals add column asked_at timestamptz, add column question text, add column answered_at timestamptz, add column answered_by uuid references users (id),
  add column answer text, add column evidence_at timestamptz;

-- The hash of each piece of a file, made when it is first asked for.
alter table media add column pieces text[];

-- How an organisation that provides training takes bookings, and what it writes to people. Without a row the standard settings hold
-- (company-settings.rows.ts), or those of an organisation above.
create table training_company_settings (
  entity_id uuid primary key references entities (id) on delete cascade,
  allow_multiple_days_per_booking boolean not null default true,
  allow_multiple_sessions_per_booking boolean not null default true,
  allow_virtual_training_sessions boolean not null default true,
  auto_release_certificates boolean not null default true,
  -- Hours; 0 at once, null never.
  delegate_auto_accept_period integer default 0 check (delegate_auto_accept_period between 0 and 720),
  delegate_removal_cutoff_hours integer not null default 0 check (delegate_removal_cutoff_hours between 0 and 720),
  practical_min_delegates integer check (practical_min_delegates between 1 and 500),
  practical_max_delegates integer check (practical_max_delegates between 1 and 500),
  theory_min_delegates integer check (theory_min_delegates between 1 and 500),
  theory_max_delegates integer check (theory_max_delegates between 1 and 500),
  bookings_organiser_reference_prefix text not null default '',
  -- By kind of message, those that differ from the standard: [{kind, email, text}].
  communication_preferences_json jsonb not null default '[]',
  logo text,
  rev integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid not null references users (id),
  check (practical_min_delegates <= practical_max_delegates),
  check (theory_min_delegates <= theory_max_delegates)
);

-- Organisations that may book with a provider from outside its own tree. A relation that has ended keeps its row.
create table training_clients (
  id uuid primary key,
  provider_id uuid not null references entities (id) on delete cascade,
  client_id uuid not null references entities (id) on delete cascade,
  added_by uuid not null references users (id),
  added_at timestamptz not null,
  ended_at timestamptz,
  unique (provider_id, client_id),
  check (provider_id <> client_id)
);
create index training_clients_client on training_clients (client_id);

-- The people of a client know its providers, those below a client as well; only the provider writes.
create policy provider on training_clients using (exists (select 1 from scope_own s where s.id = training_clients.provider_id));
create policy client on training_clients for select using (exists (select 1 from scope_reach s where s.id = training_clients.client_id));
alter table training_clients enable row level security;
grant select, insert, update on training_clients to lantern_scoped;

-- Whoever books with a provider goes by its settings: those below it, its clients, and the clients of those below it.
create policy own on training_company_settings using (exists (select 1 from scope_own s where s.id = training_company_settings.entity_id));
create policy reach on training_company_settings for select using (
  exists (select 1 from scope_reach s where s.id = training_company_settings.entity_id)
  or exists (select 1 from training_clients c join scope_reach s on s.id = c.client_id join entity_below b on b.below = c.provider_id
    where b.above = training_company_settings.entity_id and c.ended_at is null));
alter table training_company_settings enable row level security;
grant select, insert, update on training_company_settings to lantern_scoped;

-- Whether only one's own organisation and those below it may book a session, or clients too.
alter table training_sessions add column available_to text not null default 'own' check (available_to in ('own', 'clients'));

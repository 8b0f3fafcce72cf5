-- Records that whoever approves care certificates looks at again: chosen at random, and what came of it.
create table observation_samples (
  id uuid primary key,
  certificate_id uuid not null references care_certificates (id),
  observation_id uuid not null unique references observations (id),
  chosen_by uuid not null references users (id),
  chosen_at timestamptz not null,
  agrees boolean,
  note text,
  checked_by uuid references users (id),
  checked_at timestamptz,
  check ((agrees is null) = (checked_at is null))
);
create index observation_samples_certificate on observation_samples (certificate_id);
create policy own on observation_samples using (scope_sees_certificate(certificate_id));
alter table observation_samples enable row level security;
grant select, insert, update on observation_samples to lantern_scoped;

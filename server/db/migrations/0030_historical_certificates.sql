-- Care certificates that people brought with them. One for each person; the audit log keeps what was changed and taken away.
create table historical_certificates (
  id uuid primary key,
  user_id uuid not null unique references users (id),
  achieved_on date not null,
  issuer text not null,
  note text not null,
  added_by uuid not null references users (id),
  added_at timestamptz not null
);
create policy own on historical_certificates using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = historical_certificates.user_id));
alter table historical_certificates enable row level security;
grant select, insert, update, delete on historical_certificates to lantern_scoped;

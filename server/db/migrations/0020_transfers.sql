-- A leaver takes their training record along: their old organisation makes a code, their new one enters it.
create table transfers (
  code_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index transfers_user on transfers (user_id, made_at desc);

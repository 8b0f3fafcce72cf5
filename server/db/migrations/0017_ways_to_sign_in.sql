alter table entities
  add column allow_ms_sign_in boolean not null default false,
  add column allow_google_sign_in boolean not null default false;

-- The second step of signing in with a password. The key is sealed with the server's; it counts once it was confirmed.
create table second_steps (
  user_id uuid primary key references users (id) on delete cascade,
  key_sealed bytea not null,
  confirmed_at timestamptz,
  -- The newest time step that was used: no code works twice.
  last_step bigint not null default 0
);
create table recovery_codes (
  user_id uuid not null references second_steps (user_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);
-- What a passkey was asked to sign: for a person who makes one, or for nobody yet who signs in. Taken away when it is answered.
create table passkey_challenges (
  challenge_hash text primary key,
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz not null
);

-- The account of a provider that signs somebody in. One of each provider for a person, and one person for each account.
create table identities (
  provider text not null check (provider in ('microsoft', 'google')),
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  email text,
  at timestamptz not null,
  primary key (provider, issuer, subject),
  unique (user_id, provider)
);
-- A way to a provider that has not come back yet; bound to the browser by a cookie, and to a person where they connect an account.
create table openid_states (
  state_hash text primary key,
  provider text not null,
  code_verifier text not null,
  nonce text not null,
  return_to text not null,
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz not null
);

-- What happened at an account: sign-ins, refused ones, new passwords. From where, and with what.
create table auth_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id) on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('signed_in', 'refused', 'password_changed')),
  way text not null check (way in ('password', 'passkey', 'microsoft', 'google', 'app', 'link')),
  device text,
  address text not null
);
create index auth_events_user on auth_events (user_id, at desc);
create index auth_events_at on auth_events (at);

-- Mail leaves by turns between organisations, and what somebody waits for first: a password must not wait behind 300 invitations of others.
alter table outgoing_mail
  -- The organisation of the person who caused it; none for the server's own, which counts as the recipient's.
  add column entity_id uuid references entities (id) on delete set null,
  -- Somebody has asked for it and waits: to sign in, to set a password, to confirm an address.
  add column awaited boolean not null default false;
create index outgoing_mail_entity on outgoing_mail (entity_id) where entity_id is not null;

-- When an organisation without one above it had its last turn, and how many it had that day. Until `limited_until` it has only so many a day:
-- anybody can sign an organisation up and send to any address.
create table mail_turns (
  root_id uuid primary key references entities (id) on delete cascade,
  at timestamptz not null,
  day date not null,
  taken integer not null,
  limited_until timestamptz
);

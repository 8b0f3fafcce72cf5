-- One message to everybody of an organisation, with a job role or with a tag: each has it as a message of their own.
create table broadcasts (
  id uuid primary key,
  sender_id uuid not null references users (id) on delete cascade,
  audience text not null,
  message text not null,
  by_mail boolean not null,
  recipients integer not null,
  sent_at timestamptz not null
);
create index broadcasts_sender on broadcasts (sender_id, sent_at desc);
alter table messages add column broadcast_id uuid references broadcasts (id) on delete set null;
create index messages_broadcast on messages (broadcast_id) where broadcast_id is not null;
create policy own on broadcasts using (sender_id = (select scope_user()));
alter table broadcasts enable row level security;
grant select, insert on broadcasts to lantern_scoped;

-- Mail waits here until it has gone, so that a server that stops, or a mail server that does not answer, loses none. What was
-- sent keeps its subject and loses its text: links in it open accounts. What is not urgent lets what is go first.
alter table outgoing_mail
  add column urgent boolean not null default true,
  add column next_at timestamptz not null default now(),
  add column tries integer not null default 0,
  add column failure text,
  add column sent_at timestamptz;
update outgoing_mail set sent_at = at;
create index outgoing_mail_waiting on outgoing_mail (urgent desc, next_at) where sent_at is null;

-- What the codes are computed from with which people check in to a session: for whoever takes its register. Apart from the session, so that
-- nothing that reads sessions reads it.
create table check_in_keys (
  session_id uuid primary key references training_sessions (id) on delete cascade,
  key text not null default encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex')
);
insert into check_in_keys (session_id) select id from training_sessions;
create function key_of_session() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into check_in_keys (session_id) values (new.id);
  return null;
end $$;
create trigger key_of_session after insert on training_sessions for each row execute function key_of_session();
select protect('check_in_keys', 'exists (select 1 from scope_sessions s where s.id = check_in_keys.session_id)', 'select');

-- Who said at a session that they are there, with a code that was shown there. Beside the register: it is no mark. The first one counts.
create table check_ins (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  user_id uuid not null references users (id),
  -- When the code was seen, and which 30 seconds it is of.
  at timestamptz not null,
  step bigint not null,
  received_at timestamptz not null,
  late boolean not null,
  unique (session_id, user_id)
);
create index check_ins_user on check_ins (user_id);
select protect('check_ins', 'user_id = (select scope_user()) or exists (select 1 from scope_sessions s where s.id = check_ins.session_id)', 'select');
create trigger check_ins_append_only before update or delete on check_ins for each row execute function only_ever_added();

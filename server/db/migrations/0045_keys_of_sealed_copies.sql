-- What a person's devices sign their sealed copies with, and a hash of what they seal them with: told by a device while that person
-- was signed in on it. Kept after the device has forgotten it: a copy that was made before is still known.
create table copy_keys (
  user_id uuid not null references users (id) on delete cascade,
  kid uuid not null, data_key_hash text not null,
  device_id text not null, public_jwk jsonb not null, registered_at timestamptz not null,
  primary key (user_id, kid, data_key_hash)
);
create policy own on copy_keys using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = copy_keys.user_id));
alter table copy_keys enable row level security;
grant select, insert, update, delete on copy_keys to lantern_scoped;

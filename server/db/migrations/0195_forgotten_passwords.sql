-- Addresses for which a new password was asked, until the link is written: whether there is an account is looked up after the answer.
create table forgotten_passwords (
  id uuid primary key,
  email text not null,
  at timestamptz not null
);
-- No request reads or writes them in anybody's name.
alter table forgotten_passwords enable row level security;

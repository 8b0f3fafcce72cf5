alter table entities add column compromised_passwords text not null default 'off' check (compromised_passwords in ('enforce_change', 'off'));
-- Set at sign-in, when the password was seen to be one that everybody knows.
alter table users add column password_compromised boolean not null default false;

-- Once a week those who have something overdue or due soon get an e-mail, where their organisation wants it.
alter table entities add column events_reminder boolean not null default false;
alter table users add column reminded_at timestamptz;

-- Days on which somebody is not at work, so that nobody books training for them then. Without a reason: that is theirs. Without a last day: for now.
alter table users add column leave_from date, add column leave_until date;
alter table users add constraint users_leave check (leave_until is null or (leave_from is not null and leave_until >= leave_from));

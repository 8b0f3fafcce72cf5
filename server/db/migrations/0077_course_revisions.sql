-- Two people can have a course open: whoever saves second is told what the first one saved.
alter table courses add column rev integer not null default 1;

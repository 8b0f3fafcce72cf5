-- Which version of a schedule somebody has changed: two people can have it open.
alter table report_schedules add column rev integer not null default 1;

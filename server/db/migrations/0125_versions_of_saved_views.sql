-- Which version of a saved view somebody has changed: two people can have a shared one open.
alter table report_presets add column rev integer not null default 1;

-- Which courses a device keeps whole, as it last said: authors see how many devices are on which version.
alter table device_contacts add column kept jsonb not null default '[]';

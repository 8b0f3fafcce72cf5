-- What a device has named as waiting, and whether it still is: what neither came nor waits any more is missing.
alter table device_contacts add column unsent jsonb not null default '[]';

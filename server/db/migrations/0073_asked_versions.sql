-- Within how many days those who are in date on an older version are asked to take this one; null where nobody is asked. What was
-- published before asks nobody.
alter table content_versions add column take_within_days integer check (take_within_days between 1 and 365);
create index content_versions_asking on content_versions (content_id, version) where take_within_days is not null;

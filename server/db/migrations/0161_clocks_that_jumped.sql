-- By how much the clock of a device turned out to be wrong when it was next connected: what was recorded in between may have a wrong time.
alter table observations add column clock_off_ms bigint;
alter table register_marks add column clock_off_ms bigint;
alter table check_ins add column clock_off_ms bigint;

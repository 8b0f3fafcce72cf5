-- Which places on registers have led to a record. A provider cannot read the records of its clients' people, but its register says that they
-- were made. Ids only.
create view recorded_delegates as select delegate_id from results where delegate_id is not null and status = 'approved';
grant select on recorded_delegates to lantern_scoped;

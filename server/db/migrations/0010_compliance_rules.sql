-- What a job role asks of a course beyond whether it must be done. Null: as the course, or the organisation, says.
alter table compliance
  add column renewal_months integer check (renewal_months >= 0), -- 0: it does not expire
  add column expiry_warning_days integer check (expiry_warning_days >= 0),
  add column starter_period_days integer check (starter_period_days >= 0);
create index compliance_course on compliance (course_id);

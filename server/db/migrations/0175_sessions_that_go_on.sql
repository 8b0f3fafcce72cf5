-- Whether a sitting in a SCORM package is over. Its status is decided when it ends; a commit in the middle decides nothing.
alter table scorm_sessions add column ended boolean not null default true;

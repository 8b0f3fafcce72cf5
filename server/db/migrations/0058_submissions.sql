-- Certificates from elsewhere that people submit for themselves. The file comes in pieces; when the last one is there it is put where files
-- lie, the pieces go, and a pending result with the id of the submission refers to it.
create table submissions (
  id uuid primary key,
  user_id uuid not null references users (id),
  bytes integer not null,
  begun_at timestamptz not null,
  -- When the file was whole, whether it could be used or not.
  received_at timestamptz,
  fit boolean
);
create table submission_parts (
  submission_id uuid not null references submissions (id),
  part integer not null,
  bytes bytea not null,
  received_at timestamptz not null,
  primary key (submission_id, part)
);
create index submission_parts_received on submission_parts (received_at);
select protect('submissions', 'user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = submissions.user_id)', 'select, insert, update');
select protect('submission_parts', 'exists (select 1 from submissions s where s.id = submission_parts.submission_id)');

-- Files of reports that take long: what was asked for by whom, and the finished file in pieces. A job makes it; it goes when it expires.
create table report_files (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  acting_as_id uuid references entities (id) on delete cascade,
  key text not null,
  report text not null, question jsonb not null,
  name text not null, type text not null,
  total integer not null,
  begun_at timestamptz not null, ready_at timestamptz, expires_at timestamptz not null,
  unique (user_id, key)
);
create index report_files_expire on report_files (expires_at);
create table report_pieces (file_id uuid not null references report_files (id) on delete cascade, no integer not null, bytes bytea not null, primary key (file_id, no));
select protect('report_files', 'user_id = (select scope_user())');
select protect('report_pieces', 'exists (select 1 from report_files f where f.id = report_pieces.file_id)');

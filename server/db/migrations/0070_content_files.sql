-- Films, sound and files of contents on their way: in pieces, until all have arrived and the file was looked at.
create table content_uploads (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  user_id uuid not null references users (id),
  kind text not null check (kind in ('video', 'audio', 'download', 'captions')),
  name text not null,
  bytes bigint not null,
  begun_at timestamptz not null,
  hash text references media (hash)
);
create index content_uploads_user on content_uploads (user_id, begun_at);
create table content_upload_pieces (
  upload_id uuid not null references content_uploads (id) on delete cascade,
  piece integer not null,
  bytes bytea not null,
  primary key (upload_id, piece)
);
alter table content_upload_pieces alter column bytes set storage external;
select protect('content_uploads', 'user_id = (select scope_user())');
select protect('content_upload_pieces', 'exists (select 1 from content_uploads u where u.id = content_upload_pieces.upload_id)');

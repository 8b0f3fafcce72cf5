-- Who may read a document of a session is told of it, once: with the others that were added about the same time.
alter table session_documents add column told_at timestamptz;
update session_documents set told_at = added_at;
create index session_documents_to_tell on session_documents (added_by) where told_at is null;

-- Files of a training session: slides, joining instructions, a risk assessment. Each lies in the file store once, whichever sessions name it;
-- `shared_id` is the same for those that came into the sessions of a series together.
create table session_documents (
  id uuid primary key,
  session_id uuid not null references training_sessions (id),
  shared_id uuid not null,
  name text not null,
  ending text not null,
  type text not null,
  bytes bigint not null,
  hash text not null,
  audience text not null check (audience in ('delegates', 'trainers')),
  added_by uuid not null references users (id),
  added_at timestamptz not null,
  unique (session_id, shared_id)
);
create index session_documents_shared on session_documents (shared_id);
select protect('session_documents', 'exists (select 1 from scope_sessions s where s.id = session_documents.session_id)');
-- Those on the list have what is meant for them, for as long as they are on it.
create function scope_has_place(session uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from session_delegates d where d.session_id = session and d.user_id = scope_user() and d.same_as is null and d.removed_at is null);
end $$;
create policy mine on session_documents for select using (audience = 'delegates' and scope_has_place(session_id));

-- They come in pieces, as the files of contents do.
alter table content_uploads drop constraint content_uploads_kind_check;
alter table content_uploads add constraint content_uploads_kind_check check (kind in ('video', 'audio', 'download', 'captions', 'course', 'document'));

-- What learners say of a content: beside ratings also questions, and reports of what is wrong with a page. `created_at` is when it was
-- received. Of ratings from before, the version and the time of writing are not known.
alter table feedback alter column rating drop not null;
alter table feedback
  add column kind text not null default 'rating' check (kind in ('rating', 'question', 'problem')),
  add column what text check (what in ('text', 'outdated', 'broken', 'hard', 'other')),
  add column place jsonb,
  add column version integer,
  add column written_at timestamptz,
  add column state text not null default 'received' check (state in ('received', 'open', 'looked_at', 'answered', 'closed', 'mended', 'no_fault')),
  add constraint feedback_of_kind check ((kind = 'rating') = (rating is not null) and (kind = 'problem') = (what is not null));
create index feedback_content on feedback (content_id, kind);
create index feedback_user on feedback (user_id, content_id);
create index feedback_open on feedback (content_id) where state in ('open', 'looked_at');

-- What authors made of it, in order. Each is also told to the person in a message.
create table feedback_answers (
  id uuid primary key,
  feedback_id uuid not null references feedback (id) on delete cascade,
  no integer not null,
  by_id uuid references users (id),
  state text not null check (state in ('looked_at', 'answered', 'closed', 'mended', 'no_fault')),
  message text not null,
  mended_in integer,
  at timestamptz not null,
  unique (feedback_id, no)
);
select protect('feedback_answers', 'exists (select 1 from feedback f where f.id = feedback_answers.feedback_id)', 'select, insert');

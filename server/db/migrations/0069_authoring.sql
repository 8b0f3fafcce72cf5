-- Courses are written here. What an author changes is a working copy: the content, its lessons with their topics, its quizzes with their
-- questions. Publishing makes of it a version (content_versions), which never changes and which learners take.
alter table contents
  add column aims text not null default '',
  add column outcomes text[] not null default '{}',
  add column estimated_duration integer not null default 0,
  add column cpd_accredited boolean not null default false,
  add column admin_only boolean not null default false,
  add column image text references media (hash),
  add column image_alt text not null default '',
  add column package_id uuid references packages (id),
  add column completion text,
  add column rev integer not null default 1;
create index contents_package on contents (package_id) where package_id is not null;
alter table content_versions
  add column published_by uuid references users (id),
  add column note text not null default '',
  add column material boolean not null default false;

create table lessons (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  title text not null,
  published boolean not null default true,
  question_qty integer not null default 0,
  rev integer not null default 1,
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table topics (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  title text not null,
  hidden boolean not null default false,
  skippable boolean not null default false,
  is_child boolean not null default false,
  blocks jsonb not null default '[]',
  rev integer not null default 1,
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table quizzes (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  title text not null,
  published boolean not null default true,
  is_randomized boolean not null default false,
  pass_percent integer not null default 80 check (pass_percent between 0 and 100),
  max_tries integer not null default 0,
  rev integer not null default 1,
  created_by uuid references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- A question as learners get it, and its answer, which they do not.
create table questions (
  id uuid primary key,
  quiz_id uuid not null references quizzes (id) on delete cascade,
  place integer not null,
  question jsonb not null,
  answer_key jsonb not null
);
create index questions_quiz on questions (quiz_id, place);
create table content_lessons (
  content_id uuid not null references contents (id) on delete cascade,
  lesson_id uuid not null references lessons (id) on delete cascade,
  place integer not null,
  primary key (content_id, lesson_id)
);
create table lesson_topics (
  lesson_id uuid not null references lessons (id) on delete cascade,
  topic_id uuid not null references topics (id) on delete cascade,
  place integer not null,
  primary key (lesson_id, topic_id)
);
create table content_quizzes (
  content_id uuid not null references contents (id) on delete cascade,
  quiz_id uuid not null references quizzes (id) on delete cascade,
  place integer not null,
  question_qty integer not null default 0,
  primary key (content_id, quiz_id)
);
create index lessons_entity on lessons (entity_id, updated_at);
create index topics_entity on topics (entity_id, updated_at);
create index quizzes_entity on quizzes (entity_id, updated_at);
create index content_lessons_lesson on content_lessons (lesson_id);
create index lesson_topics_topic on lesson_topics (topic_id);
create index content_quizzes_quiz on content_quizzes (quiz_id);
-- The files that an organisation has uploaded for its contents: only these can be put into them.
create table content_files (
  entity_id uuid not null references entities (id),
  hash text not null references media (hash),
  name text not null,
  uploaded_by uuid references users (id),
  uploaded_at timestamptz not null default now(),
  primary key (entity_id, hash)
);

-- Those below an organisation use its lessons and topics; each is changed where it belongs. Quizzes hold answers: they stay with their own.
do $$
declare
  t text;
  of_parent text[];
begin
  foreach t in array array['lessons', 'topics'] loop
    execute format('create policy reach on %I for select using (exists (select 1 from scope_reach s where s.id = %I.entity_id))', t, t);
    execute format('create policy added on %I for insert with check (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
    execute format('create policy changed on %I for update using (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
    execute format('create policy removed on %I for delete using (exists (select 1 from scope_own s where s.id = %I.entity_id))', t, t);
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert, update, delete on %I to lantern_scoped', t);
  end loop;
  foreach of_parent slice 1 in array array[['content_lessons', 'contents', 'content_id'], ['lesson_topics', 'lessons', 'lesson_id']] loop
    execute format('create policy reach on %I for select using (exists (select 1 from %I p where p.id = %I.%I))', of_parent[1], of_parent[2], of_parent[1], of_parent[3]);
    foreach t in array array['insert with check', 'update using', 'delete using'] loop
      execute format('create policy %I on %I for %s (exists (select 1 from %I p join scope_own s on s.id = p.entity_id where p.id = %I.%I))',
        split_part(t, ' ', 1), of_parent[1], t, of_parent[2], of_parent[1], of_parent[3]);
    end loop;
    execute format('alter table %I enable row level security', of_parent[1]);
    execute format('grant select, insert, update, delete on %I to lantern_scoped', of_parent[1]);
  end loop;
end $$;
select protect('quizzes', 'exists (select 1 from scope_own s where s.id = quizzes.entity_id)');
select protect('questions', 'exists (select 1 from quizzes q where q.id = questions.quiz_id)');
select protect('content_quizzes', 'exists (select 1 from contents c join scope_own s on s.id = c.entity_id where c.id = content_quizzes.content_id)');
select protect('content_files', 'exists (select 1 from scope_own s where s.id = content_files.entity_id)', 'select, insert, delete');

-- The working copy of a content that has only versions: its current one, taken apart. What is there already stays.
create function take_content_apart(content uuid) returns void language plpgsql as $$
declare
  c contents;
  d jsonb;
  keys jsonb;
begin
  select * into c from contents where id = content;
  select v.document, v.answer_keys into d, keys from content_versions v where v.content_id = content and v.version = c.current_version;
  if d is null then return; end if;
  update contents set aims = coalesce(d ->> 'aims', ''), outcomes = coalesce((select array_agg(o order by n) from jsonb_array_elements_text(d -> 'outcomes') with ordinality x (o, n)), '{}'),
    estimated_duration = coalesce((d ->> 'estimated_duration')::int, 0), cpd_accredited = coalesce((d ->> 'cpd_accredited')::boolean, false),
    image = (select m.hash from media m where m.hash = d -> 'image' ->> 'hash'), package_id = (select p.id from packages p where p.id = (d -> 'package' ->> 'id')::uuid),
    completion = d -> 'package' ->> 'completion' where id = content;
  insert into lessons (id, entity_id, title, question_qty)
    select (l ->> 'id')::uuid, c.entity_id, l ->> 'title', (l ->> 'question_qty')::int from jsonb_array_elements(d -> 'lessons') l on conflict do nothing;
  insert into content_lessons (content_id, lesson_id, place)
    select content, (l ->> 'id')::uuid, n from jsonb_array_elements(d -> 'lessons') with ordinality x (l, n) on conflict do nothing;
  insert into topics (id, entity_id, title, hidden, skippable, is_child, blocks)
    select (t ->> 'id')::uuid, c.entity_id, t ->> 'title', (t ->> 'hidden')::boolean, (t ->> 'skippable')::boolean, (t ->> 'is_child')::boolean, t -> 'blocks'
    from jsonb_array_elements(d -> 'lessons') l, jsonb_array_elements(l -> 'topics') t on conflict do nothing;
  insert into lesson_topics (lesson_id, topic_id, place)
    select (l ->> 'id')::uuid, (t ->> 'id')::uuid, n from jsonb_array_elements(d -> 'lessons') l, jsonb_array_elements(l -> 'topics') with ordinality x (t, n) on conflict do nothing;
  insert into quizzes (id, entity_id, title, is_randomized, pass_percent, max_tries)
    select (q ->> 'id')::uuid, c.entity_id, q ->> 'title', (q ->> 'is_randomized')::boolean, (q ->> 'pass_percent')::int, (q ->> 'max_tries')::int
    from jsonb_array_elements(d -> 'quizzes') q on conflict do nothing;
  insert into content_quizzes (content_id, quiz_id, place, question_qty)
    select content, (q ->> 'id')::uuid, n, (q ->> 'question_qty')::int from jsonb_array_elements(d -> 'quizzes') with ordinality x (q, n) on conflict do nothing;
  insert into questions (id, quiz_id, place, question, answer_key)
    select (a ->> 'id')::uuid, (q ->> 'id')::uuid, n, a, keys -> (a ->> 'id')
    from jsonb_array_elements(d -> 'quizzes') q, jsonb_array_elements(q -> 'questions') with ordinality x (a, n) where keys ? (a ->> 'id') on conflict do nothing;
  insert into content_files (entity_id, hash, name)
    select c.entity_id, m.hash, m.name from media m where m.hash in (
      select f #>> '{}' from jsonb_path_query(d, 'strict $.**.hash') f) on conflict do nothing;
end $$;
revoke all on function take_content_apart from public;
select take_content_apart(id) from contents;

-- What would miss a course, counted over all organisations: one that deletes a course does not see them.
create function course_needs(course uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
begin
  return jsonb_build_object(
    'contents', (select count(*) from contents c where c.course_id = course and (c.deleted_at is null or exists (select 1 from attempts a where a.content_id = c.id))),
    'results', (select count(distinct r.user_id) from results r where r.course_id = course),
    'events', (select count(*) from bulk_events b where b.course_id = course),
    'roles', (select count(*) from compliance k where k.course_id = course),
    'pathways', (select count(distinct s.pathway_id) from pathway_steps s where s.course_id = course),
    'sessions', (select count(*) from training_sessions s where s.course_id = course),
    'links', (select count(*) from course_links l where l.course_id = course or l.other_id = course));
end $$;
-- Takes away a course that nothing needs, with what stood of it: contents that were deleted before anybody had begun them.
create function drop_course(course uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  delete from content_prerequisites p using contents c where c.course_id = course and (p.content_id = c.id or p.required_content_id = c.id);
  delete from content_versions v using contents c where c.course_id = course and v.content_id = c.id;
  delete from entity_contents x using contents c where c.course_id = course and x.content_id = c.id;
  delete from feedback f using contents c where c.course_id = course and f.content_id = c.id;
  delete from contents c where c.course_id = course;
  delete from entity_courses x where x.course_id = course;
  delete from courses k where k.id = course;
end $$;
revoke all on function drop_course from public;
revoke all on function course_needs from public;
grant execute on function course_needs, drop_course to lantern_scoped;

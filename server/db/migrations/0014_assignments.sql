-- A course that an organisation was given is for everybody there and below, or only for some job roles and user types.
alter table entity_courses add column role_ids uuid[] not null default '{}', add column type_ids uuid[] not null default '{}', add column added_at timestamptz not null default now();
-- The same for a single content, given without the rest of its course.
create table entity_contents (
  entity_id uuid not null references entities (id) on delete cascade, content_id uuid not null references contents (id) on delete cascade,
  role_ids uuid[] not null default '{}', type_ids uuid[] not null default '{}', added_at timestamptz not null default now(), primary key (entity_id, content_id)
);
create index entity_contents_content on entity_contents (content_id);
create index entity_courses_course on entity_courses (course_id);

create table course_categories (id uuid primary key, entity_id uuid not null references entities (id) on delete cascade, name text not null, place integer not null default 0);
create unique index course_categories_name on course_categories (entity_id, lower(name));
create table course_category_courses (
  category_id uuid not null references course_categories (id) on delete cascade, course_id uuid not null references courses (id) on delete cascade,
  primary key (category_id, course_id)
);

-- Words that organisations and people are marked with, to find them and report on them together.
create table tags (id uuid primary key, entity_id uuid not null references entities (id) on delete cascade, name text not null);
create unique index tags_name on tags (entity_id, lower(name));
create table tag_entities (tag_id uuid not null references tags (id) on delete cascade, entity_id uuid not null references entities (id) on delete cascade, primary key (tag_id, entity_id));
create table tag_users (tag_id uuid not null references tags (id) on delete cascade, user_id uuid not null references users (id) on delete cascade, primary key (tag_id, user_id));
create index tag_users_user on tag_users (user_id);

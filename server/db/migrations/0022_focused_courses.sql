-- What an organisation wants its people to see to first, there and below.
create table entity_focused_courses (
  entity_id uuid not null references entities (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  primary key (entity_id, course_id)
);
create index entity_focused_courses_course on entity_focused_courses (course_id);
create policy reach on entity_focused_courses for select using (exists (select 1 from scope_reach s where s.id = entity_focused_courses.entity_id));
create policy added on entity_focused_courses for insert with check (exists (select 1 from scope_own s where s.id = entity_focused_courses.entity_id));
create policy removed on entity_focused_courses for delete using (exists (select 1 from scope_own s where s.id = entity_focused_courses.entity_id));
alter table entity_focused_courses enable row level security;
grant select, insert, delete on entity_focused_courses to lantern_scoped;

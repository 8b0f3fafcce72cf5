-- How the people who belong to an organisation (not those below it) stand, as it was counted last on each day. `turn_red`: how many of them
-- turn red for some course within 30, 60 and 90 days. `required`, `in_date`: each person once a course; what starters still have time for is left out.
create table place_figures (
  entity_id uuid not null references entities (id) on delete cascade,
  day date not null,
  counted_at timestamptz not null,
  people integer not null, overdue integer not null, turn_red integer[] not null, starters integer not null,
  required integer not null, in_date integer not null,
  primary key (entity_id, day)
);
create index place_figures_day on place_figures (day);
select protect('place_figures', 'exists (select 1 from scope_own s where s.id = place_figures.entity_id)', 'select');

-- The same of each course that is asked for there, as it was counted last.
create table course_figures (
  entity_id uuid not null references entities (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  required integer not null, in_date integer not null, overdue integer not null, turn_red integer[] not null,
  primary key (entity_id, course_id)
);
create index course_figures_course on course_figures (course_id);
select protect('course_figures', 'exists (select 1 from scope_own s where s.id = course_figures.entity_id)', 'select');

-- Who needs something: how many courses are overdue, and turn red within 30, 60 and 90 days. Nobody is here who needs nothing.
create table person_figures (
  user_id uuid primary key references users (id) on delete cascade,
  overdue smallint not null, turn_red smallint[] not null, starter boolean not null
);
select protect('person_figures', 'exists (select 1 from scope_people p where p.id = person_figures.user_id)', 'select');

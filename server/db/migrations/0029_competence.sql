-- In which standards somebody is competent to assess others, and on what that stands. Whose competence is not noted at all may
-- assess everything, and is shown as not noted.
create table assessor_competence (
  user_id uuid not null references users (id),
  standard text not null,
  basis text not null,
  until date,
  noted_by uuid not null references users (id),
  noted_at timestamptz not null,
  primary key (user_id, standard)
);
create policy own on assessor_competence using (user_id = (select scope_user()) or exists (select 1 from scope_people p where p.id = assessor_competence.user_id));
alter table assessor_competence enable row level security;
grant select, insert, update, delete on assessor_competence to lantern_scoped;

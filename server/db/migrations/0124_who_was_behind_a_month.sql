-- Who was behind the numbers of a month that is over, so that its people agree with its numbers whatever is changed later: job roles, what they
-- ask for, the organisation's periods, tags. Months that were written before have no list.
alter table compliance_months add column listed boolean not null default false;
-- People who hold the same job roles (`held`, the first is `role_id`) and of whom the same is asked: `courses`, with their `types`. `states` has for each
-- person in turn a byte for each course: what was counted (1 in date, 2 expiring, 3 expired, 4 missing, 5 starter; 0 nothing) and 8 for exempt.
create table compliance_people (
  month_id uuid not null references compliance_months (id) on delete cascade,
  role_id uuid,
  held uuid[] not null,
  new_starter boolean not null,
  people uuid[] not null,
  courses uuid[] not null,
  types text[] not null,
  states bytea not null,
  unique nulls not distinct (month_id, role_id, held, new_starter),
  check (length(states) = cardinality(people) * cardinality(courses) and cardinality(types) = cardinality(courses))
);
-- Who of them had which tag on the day on which the month was counted; no people: everybody, because the organisation had it.
create table compliance_tags (
  month_id uuid not null references compliance_months (id) on delete cascade,
  tag_id uuid not null,
  people uuid[],
  primary key (month_id, tag_id)
);
create trigger compliance_people_stay before update on compliance_people for each statement execute function stays_as_written();
create trigger compliance_tags_stay before update on compliance_tags for each statement execute function stays_as_written();
select protect('compliance_people', 'exists (select 1 from compliance_months m where m.id = compliance_people.month_id)', 'select');
select protect('compliance_tags', 'exists (select 1 from compliance_months m where m.id = compliance_tags.month_id)', 'select');

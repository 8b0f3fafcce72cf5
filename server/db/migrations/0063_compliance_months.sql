-- How organisations stood, month by month. A month that is over is written once (`final`) and does not change with what is entered later; the
-- other row is how it is now, counted anew whenever it is asked for. `computed`: counted afterwards from the training records, with the people,
-- job roles and rules of the day on which it was counted.
create table compliance_months (
  id uuid primary key default gen_random_uuid(),
  entity_id uuid not null references entities (id) on delete cascade,
  month date not null check (extract(day from month) = 1), -- its first day, where the organisation is
  final boolean not null,
  computed boolean not null default false,
  people integer not null,
  counted_at timestamptz not null,
  unique (entity_id, month)
);
create unique index compliance_months_now on compliance_months (entity_id) where not final;
-- Requirements of its own people: each person once a course. `asked` are all; in the others each is counted once, and `exempt` are some of those
-- in date. `new_starter`: the person is in the starter period of the organisation. Courses and job roles that are gone later stay counted.
create table compliance_counts (
  month_id uuid not null references compliance_months (id) on delete cascade,
  course_id uuid not null,
  type text not null check (type in ('primary', 'secondary')),
  new_starter boolean not null,
  asked integer not null, in_date integer not null, expiring integer not null, expired integer not null, missing integer not null, starter integer not null,
  exempt integer not null,
  primary key (month_id, course_id, type, new_starter)
);
-- The same by job role. `held` are all the job roles that these people hold, `role_id` is the first of them.
create table compliance_role_counts (
  month_id uuid not null references compliance_months (id) on delete cascade,
  role_id uuid,
  held uuid[] not null,
  course_id uuid not null,
  type text not null check (type in ('primary', 'secondary')),
  new_starter boolean not null,
  asked integer not null, in_date integer not null, expiring integer not null, expired integer not null, missing integer not null, starter integer not null,
  exempt integer not null,
  unique nulls not distinct (month_id, role_id, held, course_id, type, new_starter)
);
create trigger compliance_counts_stay before update on compliance_counts for each statement execute function stays_as_written();
create trigger compliance_role_counts_stay before update on compliance_role_counts for each statement execute function stays_as_written();
create function month_is_over() returns trigger language plpgsql as $$ begin raise exception 'a month that is over stays as it was counted'; end $$;
create trigger compliance_months_stay before update on compliance_months for each row when (old.final) execute function month_is_over();

select protect('compliance_months', 'exists (select 1 from scope_own s where s.id = compliance_months.entity_id)', 'select');
select protect('compliance_counts', 'exists (select 1 from compliance_months m where m.id = compliance_counts.month_id)', 'select');
select protect('compliance_role_counts', 'exists (select 1 from compliance_months m where m.id = compliance_role_counts.month_id)', 'select');

-- The results of people as they were known at an instant, packed as in `standings`. What was brought from elsewhere is known from the day on
-- which it was completed, whenever it was entered.
create function standings_at(people uuid[], at timestamptz) returns table (user_id uuid, cells bytea) language sql stable as $$
  with known as (
    select r.* from results r where r.user_id = any(people) and (r.changed_at <= at or (r.rev = 1 and r.origin in ('import', 'transfer')))
    union all
    select v.* from results r cross join lateral (
      select p.* from result_versions x cross join lateral jsonb_populate_record(null::results, x.version) p
      where x.result_id = r.id and (p.changed_at <= at or (p.rev = 1 and p.origin in ('import', 'transfer'))) order by x.rev desc limit 1) v
    where r.user_id = any(people) and r.rev > 1 and r.changed_at > at
  ), latest as (
    select distinct on (k.user_id, k.course_id) k.user_id, k.course_id, k.type, k.completed_at, k.expires_at
    from known k where k.status = 'approved' and k.completed_at <= at order by k.user_id, k.course_id, k.completed_at desc, k.created_at desc, k.id desc
  )
  select l.user_id, string_agg(substring(int4send(c.no) from 2) || set_byte('\x00'::bytea, 0, standing_type(l.type) * 32 + 1)
    || standing_seconds(l.completed_at) || standing_seconds(l.expires_at), ''::bytea order by c.no)
  from latest l join courses c on c.id = l.course_id group by l.user_id
$$;

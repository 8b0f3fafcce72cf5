-- A job role asks for a course only while its organisation has the course: one that was taken away is asked of nobody, and its rules come
-- back with it. Kept by triggers, because what is asked of somebody is read with every list of people.
alter table compliance add column given boolean not null default true;

-- As for every course of an organisation: it, or one above it, owns the course or was given it.
create function role_has_course(role uuid, course uuid) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from roles r join entity_below b on b.below = r.entity_id join courses c on c.id = course
    where r.id = role and (c.entity_id = b.above or exists (select 1 from entity_courses x where x.course_id = c.id and x.entity_id = b.above)))
$$;
update compliance k set given = false where not role_has_course(k.role_id, k.course_id);

create function rule_is_given() returns trigger language plpgsql security definer set search_path = public as $$
begin
  new.given := role_has_course(new.role_id, new.course_id);
  return new;
end $$;
create trigger compliance_given before insert or update of role_id, course_id on compliance for each row execute function rule_is_given();

create function rules_follow_courses() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update compliance k set given = not k.given
    where k.course_id in (select course_id from changed_rows) and k.given <> role_has_course(k.role_id, k.course_id);
  return null;
end $$;
create trigger entity_courses_given after insert on entity_courses referencing new table as changed_rows for each statement execute function rules_follow_courses();
create trigger entity_courses_taken after delete on entity_courses referencing old table as changed_rows for each statement execute function rules_follow_courses();

-- After entities_below_moved, which says what lies below what.
create function rules_follow_organisations() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update compliance k set given = not k.given
    where k.role_id in (select r.id from roles r join entity_below b on b.below = r.entity_id where b.above = new.id)
      and k.given <> role_has_course(k.role_id, k.course_id);
  return null;
end $$;
create trigger entities_rules_moved after update of parent_id on entities for each row when (old.parent_id is distinct from new.parent_id)
  execute function rules_follow_organisations();

create or replace function required_by(roles uuid[], day date) returns table (
  id uuid, course_id uuid, type text, renewal_months integer, expiry_warning_days integer, starter_period_days integer, required_from date, required_until date,
  asked boolean
) language sql stable as $$
  select distinct on (k.course_id) k.id, k.course_id, k.type, k.renewal_months, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until, o.rank[1] = 0
  from compliance k cross join lateral (select rule_order(k, day) as rank) o where k.role_id = any(roles) and k.given order by k.course_id, o.rank, k.id
$$;

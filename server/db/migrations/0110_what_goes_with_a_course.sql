-- What is changed where a course is deleted, counted over all organisations: of what the caller does not see it is said only that there is some.
create function course_goes(course uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
begin
  return jsonb_build_object(
    'trainers', (select count(*) from trainer_courses c join users u on u.id = c.user_id where c.course_id = course and u.disabled_at is null),
    'focused', (select count(*) from entity_focused_courses f where f.course_id = course),
    'presets', (select count(*) from report_presets p where p.shared and p.filter -> 'courses' @> to_jsonb(array[course])),
    'schedules', (select count(*) from report_schedules s where s.stopped_why is null and s.filter -> 'courses' @> to_jsonb(array[course])));
end $$;
revoke all on function course_goes from public;
grant execute on function course_goes to lantern_scoped;

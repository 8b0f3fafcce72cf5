-- A part that is deleted is taken out of what uses it, other organisations' contents too: these were changed then, and say so.
create function touch_what_uses(part uuid, at timestamptz) returns void language plpgsql security definer set search_path = public as $$
begin
  update contents c set updated_at = at where c.id in (select x.content_id from content_lessons x where x.lesson_id = part
    union select x.content_id from content_quizzes x where x.quiz_id = part
    union select x.content_id from lesson_topics y join content_lessons x on x.lesson_id = y.lesson_id where y.topic_id = part);
end $$;
revoke all on function touch_what_uses from public;
grant execute on function touch_what_uses to lantern_scoped;

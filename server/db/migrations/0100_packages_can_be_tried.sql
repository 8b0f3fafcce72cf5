-- Packages (SCORM) of the marketplace can be tried as e-learning is.
create or replace function marketplace_content(item uuid) returns uuid language plpgsql stable security definer set search_path = public as $$
begin
  return (select c.id from marketplace_items i
    join contents c on c.course_id = i.course_id and c.entity_id = i.entity_id and c.type in ('elearning', 'scorm') and c.published and not c.admin_only and c.deleted_at is null
    join content_versions v on v.content_id = c.id and v.version = c.current_version
    where i.id = item and i.type = 'elearning'
      and (scope_place() is null or exists (select 1 from scope_own s where s.id = i.entity_id) or (i.published and (i.available_to = 'all' or scope_is_client(i.entity_id))))
    order by c.created_at, c.id limit 1);
end $$;

-- Whether those who order have been told that few licences are left of the course of a line, or none: each is told once.
alter table training_order_lines add column shortage_told text check (shortage_told in ('few', 'none'));

-- A course is also needed by what is offered and ordered of it, and by price lists.
create or replace function course_needs(course uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
begin
  return jsonb_build_object(
    'contents', (select count(*) from contents c where c.course_id = course and (c.deleted_at is null or exists (select 1 from attempts a where a.content_id = c.id))),
    'results', (select count(distinct r.user_id) from results r where r.course_id = course),
    'events', (select count(*) from bulk_events b where b.course_id = course),
    'roles', (select count(*) from compliance k where k.course_id = course),
    'pathways', (select count(distinct s.pathway_id) from pathway_steps s where s.course_id = course),
    'sessions', (select count(*) from training_sessions s where s.course_id = course),
    'links', (select count(*) from course_links l where l.course_id = course or l.other_id = course),
    'items', (select count(*) from marketplace_items i where i.course_id = course),
    'orders', (select count(distinct l.order_id) from training_order_lines l where l.course_id = course),
    'prices', (select count(distinct p.entity_id) from training_prices p where p.course_id = course));
end $$;
-- What would miss a content, counted over all organisations: items of the marketplace and licences that run of its course, where it is the last
-- that can be taken of it.
create function content_needs(content uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
declare c contents;
begin
  select * into c from contents where id = content;
  if c.type not in ('elearning', 'scorm') or not c.published or c.admin_only or exists (select 1 from contents o where o.course_id = c.course_id and o.entity_id = c.entity_id
      and o.id <> c.id and o.type in ('elearning', 'scorm') and o.published and not o.admin_only and o.deleted_at is null) then
    return jsonb_build_object('items', 0, 'licences', 0);
  end if;
  return jsonb_build_object(
    'items', (select count(*) from marketplace_items i where i.course_id = c.course_id and i.entity_id = c.entity_id and i.type = 'elearning' and i.published),
    'licences', (select count(*) from training_licences f join training_order_lines l on l.id = f.line_id join training_orders o on o.id = f.order_id
      where f.course_id = c.course_id and o.provider_id = c.entity_id and l.type = 'elearning' and f.ended_at is null and (f.expires_at is null or f.expires_at > now())));
end $$;
revoke all on function content_needs from public;
grant execute on function content_needs to lantern_scoped;

-- Whether everybody has a licence is asked with each course that somebody opens; few licences are of this kind.
create index training_licences_for_all on training_licences (entity_id, course_id) where for_all;

-- What providers offer to other organisations: e-learning by licence, and places on face-to-face courses. Money is whole pence.
create table marketplace_items (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  type text not null check (type in ('elearning', 'face2face')),
  course_id uuid not null references courses (id),
  title text not null,
  description text not null,
  price_pence integer not null check (price_pence between 0 and 10000000),
  vat_rate integer not null check (vat_rate between 0 and 100),
  seats integer check (seats between 1 and 1000),
  licence_months integer check (licence_months between 1 and 120),
  platform_share integer not null check (platform_share between 0 and 100),
  published boolean not null,
  available_to text not null check (available_to in ('all', 'clients')),
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  check (seats is not null or licence_months is not null)
);
create index marketplace_items_entity on marketplace_items (entity_id);
create index marketplace_items_course on marketplace_items (course_id);

-- Whether the organisation of whoever asks, or one above it, is a client of this provider.
create function scope_is_client(provider uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from training_clients c where c.provider_id = provider and c.ended_at is null and exists (select 1 from scope_reach s where s.id = c.client_id));
end $$;
select protect('marketplace_items', 'exists (select 1 from scope_own s where s.id = entity_id)');
-- What is offered is seen by those who may order it, and changed by its provider alone.
create policy offered on marketplace_items for select using (published and (available_to = 'all' or scope_is_client(entity_id)));

-- The content that an item of e-learning can be tried by: the provider's own, as learners get it. Null where there is none, or where
-- the item is not offered to whoever asks.
create function marketplace_content(item uuid) returns uuid language plpgsql stable security definer set search_path = public as $$
begin
  return (select c.id from marketplace_items i
    join contents c on c.course_id = i.course_id and c.entity_id = i.entity_id and c.type = 'elearning' and c.published and not c.admin_only and c.deleted_at is null
    join content_versions v on v.content_id = c.id and v.version = c.current_version
    where i.id = item and i.type = 'elearning'
      and (scope_place() is null or exists (select 1 from scope_own s where s.id = i.entity_id) or (i.published and (i.available_to = 'all' or scope_is_client(i.entity_id))))
    order by c.created_at, c.id limit 1);
end $$;
create function marketplace_document(item uuid) returns jsonb language plpgsql stable security definer set search_path = public as $$
begin
  return (select v.document from contents c join content_versions v on v.content_id = c.id and v.version = c.current_version where c.id = marketplace_content(item));
end $$;

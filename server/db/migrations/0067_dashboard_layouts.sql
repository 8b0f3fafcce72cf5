-- How a dashboard is arranged: by a person for themselves, or for everybody at an organisation and below it. `layout`: its widgets in
-- order, each shown or hidden. `rev` is another with each saving.
create table dashboard_layouts (
  rev uuid primary key,
  user_id uuid references users (id) on delete cascade,
  entity_id uuid references entities (id) on delete cascade,
  dashboard text not null,
  layout jsonb not null,
  changed_at timestamptz not null,
  check (num_nonnulls(user_id, entity_id) = 1),
  unique (user_id, dashboard),
  unique (entity_id, dashboard)
);
select protect('dashboard_layouts', 'user_id = (select scope_user()) or exists (select 1 from scope_reach s where s.id = dashboard_layouts.entity_id)');

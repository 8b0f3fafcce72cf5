-- What organisations order of the marketplace, within a budget, and the licences that come of it. Money is whole pence.
create table training_budgets (
  entity_id uuid not null references entities (id) on delete cascade,
  year integer not null check (year between 2000 and 2999),
  amount_pence integer not null check (amount_pence between 0 and 1000000000),
  changed_by uuid not null references users (id),
  changed_at timestamptz not null,
  primary key (entity_id, year)
);
-- Whoever orders below sees what is left of the budget that they order from; it is set at the place that it belongs to and from above.
create policy own on training_budgets using (exists (select 1 from scope_own s where s.id = training_budgets.entity_id));
create policy reach on training_budgets for select using (exists (select 1 from scope_reach s where s.id = training_budgets.entity_id));
alter table training_budgets enable row level security;
grant select, insert, update on training_budgets to lantern_scoped;

create table training_orders (
  id uuid primary key,
  no bigint generated always as identity unique,
  entity_id uuid not null references entities (id),
  provider_id uuid not null references entities (id),
  state text not null check (state in ('draft', 'submitted', 'approved', 'declined', 'fulfilled', 'cancelled')),
  reference text not null default '',
  note text not null default '',
  renews_id uuid references training_orders (id),
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  submitted_at timestamptz,
  approved_at timestamptz,
  -- The sum of its lines, with VAT.
  gross_pence integer not null default 0,
  -- Out of which budget it comes, from when it is submitted; null where there was none.
  budget_entity_id uuid references entities (id),
  budget_year integer,
  rev integer not null default 1,
  check (entity_id <> provider_id)
);
create index training_orders_entity on training_orders (entity_id, created_at);
create index training_orders_provider on training_orders (provider_id, approved_at) where approved_at is not null;
create index training_orders_budget on training_orders (budget_entity_id, budget_year);

create table training_order_lines (
  id uuid primary key,
  order_id uuid not null references training_orders (id) on delete cascade,
  item_id uuid not null references marketplace_items (id),
  place integer not null,
  quantity integer not null check (quantity between 1 and 500),
  -- What the item was when it was put in the order, and from then on when the order was submitted.
  title text not null,
  type text not null,
  course_id uuid not null references courses (id),
  price_pence integer not null,
  vat_rate integer not null,
  seats integer,
  licence_months integer,
  platform_share integer not null,
  unique (order_id, item_id)
);
create index training_order_lines_item on training_order_lines (item_id);
create table training_order_steps (
  id uuid primary key,
  order_id uuid not null references training_orders (id) on delete cascade,
  step text not null,
  reason text not null default '',
  by_id uuid not null references users (id),
  at timestamptz not null,
  seq bigint generated always as identity
);
create index training_order_steps_order on training_order_steps (order_id);

create table training_licences (
  id uuid primary key,
  order_id uuid not null references training_orders (id),
  line_id uuid not null references training_order_lines (id),
  entity_id uuid not null references entities (id),
  course_id uuid not null references courses (id),
  -- For everybody in the organisation, or for the person it is assigned to; nobody yet where it is free.
  for_all boolean not null,
  user_id uuid references users (id),
  assigned_by uuid references users (id),
  assigned_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz,
  told_at timestamptz,
  ended_at timestamptz,
  check (not for_all or user_id is null)
);
create unique index training_licences_person on training_licences (line_id, user_id) where user_id is not null;
create index training_licences_user on training_licences (user_id, course_id);
create index training_licences_entity on training_licences (entity_id, course_id);
create index training_licences_ends on training_licences (expires_at) where ended_at is null;

-- The client and whoever is above it; the provider sees of an order what was approved, and changes none of it itself.
create policy own on training_orders using (exists (select 1 from scope_own s where s.id = training_orders.entity_id));
create policy provided on training_orders for select using (approved_at is not null and exists (select 1 from scope_own s where s.id = training_orders.provider_id));
create policy own on training_order_lines using (exists (select 1 from training_orders o join scope_own s on s.id = o.entity_id where o.id = training_order_lines.order_id));
create policy provided on training_order_lines for select using (exists (select 1 from training_orders o where o.id = training_order_lines.order_id));
select protect('training_order_steps', 'exists (select 1 from training_orders o join scope_own s on s.id = o.entity_id where o.id = training_order_steps.order_id)', 'select, insert');
create policy own on training_licences using (
  user_id = (select scope_user()) or exists (select 1 from scope_own s where s.id = training_licences.entity_id)
  or (for_all and exists (select 1 from scope_reach s where s.id = training_licences.entity_id)));
do $$
declare t text;
begin
  foreach t in array array['training_orders', 'training_order_lines', 'training_licences'] loop
    execute format('alter table %I enable row level security', t);
    execute format('grant select, insert, update, delete on %I to lantern_scoped', t);
  end loop;
end $$;

-- Whether an item is in an order of anybody: it is then withdrawn, and not deleted.
create function marketplace_item_ordered(item uuid) returns boolean language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from training_order_lines l where l.item_id = item);
end $$;

-- The budget that an organisation orders from: its own of that year, or that of the nearest one above, with what is reserved and spent of it by
-- other orders than this one. Whoever orders is told the sums, and sees none of the orders of others.
create function training_budget_of(entity uuid, of_year integer, but uuid) returns table (entity_id uuid, amount integer, reserved double precision, spent double precision)
  language plpgsql stable security definer set search_path = public as $$
begin
  if scope_place() is not null and not exists (select 1 from scope_own s where s.id = entity) then return; end if;
  return query select b.entity_id, b.amount_pence,
      (select coalesce(sum(o.gross_pence), 0)::double precision from training_orders o where o.budget_entity_id = b.entity_id and o.budget_year = of_year and o.id is distinct from but and o.state = 'submitted'),
      (select coalesce(sum(o.gross_pence), 0)::double precision from training_orders o where o.budget_entity_id = b.entity_id and o.budget_year = of_year and o.id is distinct from but and o.state in ('approved', 'fulfilled'))
    from training_budgets b join entity_below d on d.above = b.entity_id and d.below = entity
    where b.year = of_year order by (select count(*) from entity_below u where u.below = b.entity_id) desc limit 1;
end $$;

-- What somebody has done of the course of a licence since it was assigned to them: nothing, “begun” or “completed”. Read by the owner of the
-- tables: a place on a session of the provider is not the client's to see, that it was used is.
create function licence_use(licence uuid) returns text language plpgsql stable security definer set search_path = public as $$
declare l training_licences;
begin
  select * into l from training_licences where id = licence;
  if l.user_id is null then return null; end if;
  if exists (select 1 from results r where r.status = 'approved' and r.user_id = l.user_id and r.course_id = l.course_id and r.completed_at >= l.assigned_at) then return 'completed'; end if;
  if exists (select 1 from attempts a join contents c on c.id = a.content_id where a.user_id = l.user_id and c.course_id = l.course_id and a.started_at >= l.assigned_at)
    or exists (select 1 from session_delegates d join training_sessions t on t.id = d.session_id join training_orders o on o.id = l.order_id
      where d.user_id = l.user_id and d.removed_at is null and d.added_at >= l.assigned_at and t.course_id = l.course_id and t.entity_id = o.provider_id and t.cancelled_at is null)
    then return 'begun'; end if;
  return null;
end $$;

-- A course that came by licence is taken by those who hold one. What is handed on of it to an organisation below is by licence too.
alter table entity_courses add column by_licence boolean not null default false;
create function course_stays_licensed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not new.by_licence and not exists (select 1 from courses k join entity_below b on b.above = k.entity_id where k.id = new.course_id and b.below = new.entity_id)
    and exists (select 1 from entity_courses x join entity_below b on b.above = x.entity_id and b.below = new.entity_id where x.course_id = new.course_id and x.entity_id <> new.entity_id and x.by_licence)
    and not exists (select 1 from entity_courses x join entity_below b on b.above = x.entity_id and b.below = new.entity_id where x.course_id = new.course_id and x.entity_id <> new.entity_id and not x.by_licence)
    then new.by_licence := true; end if;
  return new;
end $$;
create trigger entity_courses_licensed before insert on entity_courses for each row execute function course_stays_licensed();

-- What the bookings of a budget's organisations cost in its year: places on sessions still to come, and on those that were held. Counted as
-- on their invoices (contract/rules/booking-cost.ts): each person who has no bought place, the fee of a session once a client, VAT line by line.
create function bookings_of_budget(budget uuid, of_year integer) returns table (booked double precision, held double precision)
  language sql stable security definer set search_path = public as $$
  -- Those whose nearest budget of that year it is.
  with clients as (
    select c.below as id from entity_below c where c.above = budget and not exists (
      select 1 from training_budgets n join entity_below own on own.above = n.entity_id and own.below = c.below
        join entity_below under on under.above = budget and under.below = n.entity_id
      where n.year = of_year and n.entity_id <> budget)),
  charged as (
    select k.id, t.id as session_id, p.per_person_pence * count(*) as people, p.vat_rate,
      case when p.per_session_pence is not null and k.number = (select min(y.number) from session_delegates x join bookings y on y.id = x.booking_id
        where x.session_id = t.id and x.removed_at is null and x.same_as is null and y.client_id = k.client_id) then p.per_session_pence end as session
    from clients c join bookings k on k.client_id = c.id join booking_prices p on p.booking_id = k.id
      join training_sessions t on t.id = p.session_id and t.cancelled_at is null and t.date between make_date(of_year, 1, 1) and make_date(of_year, 12, 31)
      join session_delegates d on d.booking_id = k.id and d.session_id = t.id and d.removed_at is null and d.same_as is null and d.licence_id is null
    group by k.id, t.id, p.per_person_pence, p.per_session_pence, p.vat_rate),
  paid as materialized (
    select register_counts(session_id) as held,
      coalesce(people + round(people * vat_rate / 100), 0) + coalesce(session + round(session * vat_rate / 100), 0) as gross from charged)
  select coalesce(sum(gross) filter (where not held), 0)::double precision, coalesce(sum(gross) filter (where held), 0)::double precision from paid
$$;
-- What is left of a budget is known only with what was booked from it.
drop function training_budget_of(uuid, integer, uuid);
create function training_budget_of(entity uuid, of_year integer, but uuid)
  returns table (entity_id uuid, amount integer, reserved double precision, booked double precision, spent double precision)
  language plpgsql stable security definer set search_path = public as $$
begin
  if scope_place() is not null and not exists (select 1 from scope_own s where s.id = entity) then return; end if;
  return query select b.entity_id, b.amount_pence,
      (select coalesce(sum(o.gross_pence), 0)::double precision from training_orders o where o.budget_entity_id = b.entity_id and o.budget_year = of_year and o.id is distinct from but and o.state = 'submitted'),
      x.booked,
      x.held + (select coalesce(sum(o.gross_pence), 0)::double precision from training_orders o where o.budget_entity_id = b.entity_id and o.budget_year = of_year and o.id is distinct from but and o.state in ('approved', 'fulfilled'))
    from (select t.entity_id, t.amount_pence from training_budgets t join entity_below d on d.above = t.entity_id and d.below = entity
      where t.year = of_year order by (select count(*) from entity_below u where u.below = t.entity_id) desc limit 1) b
      cross join lateral bookings_of_budget(b.entity_id, of_year) x;
end $$;

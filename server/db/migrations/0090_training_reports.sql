-- What reports say of a register to those who see a delegate, and not the register: whether they were there, and whether it counts.
create function delegate_presence(delegate uuid) returns text language sql stable security definer set search_path = public as $$
  select m.presence from register_marks m join session_delegates x on x.id = m.delegate_id where coalesce(x.same_as, x.id) = delegate order by m.seq desc limit 1
$$;
create function register_counts(session uuid) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from training_sessions t join current_completions c on c.session_id = t.id
    where t.id = session and (t.cancelled_at is null or t.held is true))
$$;

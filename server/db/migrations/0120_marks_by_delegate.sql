-- What a register says of one delegate, by index: without these, each delegate of a report read every mark there is.
create index register_marks_delegate on register_marks (delegate_id, seq);
create index session_delegates_same_as on session_delegates (same_as) where same_as is not null;
create or replace function delegate_presence(delegate uuid) returns text language sql stable security definer set search_path = public as $$
  select m.presence from register_marks m
  where m.delegate_id = any (array(select x.id from session_delegates x where (x.id = delegate and x.same_as is null) or x.same_as = delegate))
  order by m.seq desc limit 1
$$;

-- What those who were at a training session say of it. Each has one word, which they may change. It is read by themselves alone; others have
-- what the functions below make of at least three answers, without names.
create table session_evaluations (
  session_id uuid not null references training_sessions (id),
  user_id uuid not null references users (id),
  course_rating integer check (course_rating between 1 and 5),
  trainer_rating integer check (trainer_rating between 1 and 5),
  message text not null default '',
  written_at timestamptz not null,
  received_at timestamptz not null,
  primary key (session_id, user_id)
);
create index session_evaluations_user on session_evaluations (user_id);
select protect('session_evaluations', 'user_id = (select scope_user())', 'select, insert, update');

-- When the register that counts was received; null where there is none.
create function register_finished(session uuid) returns timestamptz language sql stable security definer set search_path = public as $$
  select max(c.received_at) from current_completions c where c.session_id = session and register_counts(session)
$$;
-- They read beyond the scope of whoever asks, so they ask for themselves whether the session is one that this person sees.
create function scope_may_evaluate(session uuid) returns boolean language sql stable security definer set search_path = public as $$
  select scope_user() is null or exists (select 1 from scope_sessions s where s.id = session)
$$;
-- Of those who were there by the registers as they are now: how many there are, how many answered, and the averages of at least three ratings.
create function evaluation_of(sessions uuid[], out asked integer, out answered integer, out course float8, out trainer float8)
  language sql stable security definer set search_path = public as $$
  select count(*)::integer, count(e.user_id)::integer,
    case when count(e.course_rating) >= 3 then round(avg(e.course_rating), 1)::float8 end,
    case when count(e.trainer_rating) >= 3 then round(avg(e.trainer_rating), 1)::float8 end
  from session_delegates d left join session_evaluations e on e.session_id = d.session_id and e.user_id = d.user_id
  where d.session_id = any (sessions) and scope_may_evaluate(d.session_id) and d.same_as is null and d.user_id is not null and register_counts(d.session_id) and delegate_presence(d.id) = 'present'
$$;
-- What they wrote, of each session with at least three answers, in no order that says when or by whom.
create function evaluation_comments(sessions uuid[]) returns setof text language sql stable security definer set search_path = public as $$
  select e.message from session_evaluations e join session_delegates d on d.session_id = e.session_id and d.user_id = e.user_id and d.same_as is null
  where e.session_id = any (sessions) and scope_may_evaluate(e.session_id) and e.message <> '' and delegate_presence(d.id) = 'present' and (evaluation_of(array[e.session_id])).answered >= 3
  order by md5(e.session_id::text || e.user_id::text)
$$;

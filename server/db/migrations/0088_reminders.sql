-- When somebody was reminded of a session.
alter table session_delegates add column reminded_at timestamptz;
-- Whoever is booked on one that is near already knows of it.
update session_delegates d set reminded_at = now() from training_sessions t where t.id = d.session_id and t.date <= current_date + 1;

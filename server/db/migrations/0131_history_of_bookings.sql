-- The history of a booking is found by the key of bookings: compared as text, every booking is read for it. What is written of a booking names it by
-- its id; of what else may be named the text is not read as one.
drop policy booking on audit_log;
create policy booking on audit_log for select using (subject_kind = 'booking'
  and exists (select 1 from bookings b where b.id = case when audit_log.subject_kind = 'booking' then audit_log.subject_id::uuid end));

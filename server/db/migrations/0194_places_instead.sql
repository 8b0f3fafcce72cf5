-- A place that a client is asked for is one more, or instead of their place on another session, which ends when it is approved.
alter table booking_places add column instead_of uuid references training_sessions (id);

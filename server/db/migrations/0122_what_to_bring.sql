-- What those booked on a session are to bring or wear, apart from what the session is about.
alter table training_sessions add column bring text not null default '';

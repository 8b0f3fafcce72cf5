-- A repeated reminder is known by the people whom it was for as well: a hash of their ids, which also has those with nothing due.
alter table broadcasts add column asked_for text;

-- The list of people counts those who have left with each page. They are few, and a small total is never cached: the count read all people.
create index users_left on users (primary_entity_id) where disabled_at is not null;

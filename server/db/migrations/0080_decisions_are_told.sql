-- Who submitted something is told of the decision by a message in the name of who decided. Like an announcement, it becomes part of
-- the sender’s conversations once the other answers.
alter table messages add column by_product boolean not null default false;
-- When somebody who may decide was last told by e-mail what waits for a decision.
alter table users add column told_pending_at timestamptz;

-- No request reads or writes whose turn it is: without a policy nothing of it is seen in anybody's name.
alter table mail_turns enable row level security;

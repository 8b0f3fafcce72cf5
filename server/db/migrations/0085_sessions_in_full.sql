-- All that a session says of itself: what it is to achieve, how few it is held for, where one joins it that is held over the internet.
alter table training_sessions
  add column content_id uuid references contents (id),
  add column content_covered text not null default '',
  add column learning_outcomes text not null default '',
  add column min_delegates integer check (min_delegates between 1 and 500),
  add column virtual boolean not null default false,
  add column joining_link text not null default '',
  add column cancellation_reason_id text,
  -- When who planned it was told that too few are booked.
  add column risk_told_at timestamptz;

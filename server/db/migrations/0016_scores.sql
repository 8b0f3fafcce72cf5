-- How much of what has to be done in an organisation and below it is in date, as it was counted last.
create table entity_scores (
  entity_id uuid not null references entities (id) on delete cascade, kind text not null check (kind in ('primary', 'secondary')),
  required integer not null, in_date integer not null, people integer not null, counted_at timestamptz not null, primary key (entity_id, kind)
);

-- Whoever runs an import does what it does, in their own name and from where they are; `actor_id` is who uploaded the table.
alter table imports
  add column run_by uuid references users (id),
  add column run_acting_as_id uuid references entities (id),
  add column run_address text;

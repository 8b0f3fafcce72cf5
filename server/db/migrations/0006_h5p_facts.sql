-- What the statements of an H5P activity add up to, so that they need not be read again: finished or not, the best score in percent.
create table h5p_facts (
  attempt_id uuid not null references attempts (id) on delete cascade, item_id text not null, completed boolean not null, score integer, primary key (attempt_id, item_id)
);

-- The files that an activity has had, the last of them its present one. Topics and what was published of them keep the file that they were made with.
create table h5p_versions (
  h5p_id uuid not null references h5ps (id) on delete cascade,
  no integer not null,
  package_id uuid not null references packages (id),
  entity_id uuid not null references entities (id),
  by_id uuid references users (id),
  at timestamptz not null,
  primary key (h5p_id, no)
);
select protect('h5p_versions', 'exists (select 1 from scope_own s where s.id = h5p_versions.entity_id)');

-- Each file that the log of changes knows, and the present one where it does not.
insert into h5p_versions (h5p_id, no, package_id, entity_id, by_id, at)
select x.h5p_id, row_number() over (partition by x.h5p_id order by x.place), x.package_id, x.entity_id, x.by_id, x.at
from (
  select h.id as h5p_id, p.id as package_id, h.entity_id, l.actor_id as by_id, l.at, l.no as place
  from audit_log l join h5ps h on h.id::text = l.subject_id join packages p on p.id::text = l.after ->> 'package_id'
  where l.subject_kind = 'h5p'
  union all
  select h.id, h.package_id, h.entity_id, h.created_by, h.created_at, 0 from h5ps h
  where not exists (select 1 from audit_log l where l.subject_kind = 'h5p' and l.subject_id = h.id::text and l.after ->> 'package_id' = h.package_id::text)
) x;

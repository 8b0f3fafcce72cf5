-- A content made in the content designer: its pages stand here, with the answers to their questions, so they are seen where they belong
-- alone. Everything else of it stands with the other contents; that it is a designed one is seen by all who see the content.
alter table contents add column designed boolean not null default false;
create table designs (
  content_id uuid primary key references contents (id) on delete cascade,
  design jsonb not null
);
select protect('designs', 'exists (select 1 from contents c join scope_own s on s.id = c.entity_id where c.id = designs.content_id)');

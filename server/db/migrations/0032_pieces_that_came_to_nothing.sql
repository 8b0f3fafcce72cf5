-- When a piece of a file came: what is never completed is forgotten after a while, and sent again if it is.
alter table care_evidence_parts add column received_at timestamptz not null default now();
create index care_evidence_parts_received on care_evidence_parts (received_at);

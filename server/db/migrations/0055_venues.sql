-- Where training takes place. A session keeps the names of its venue and room as text, and what they were chosen from as long as that is there.
create table venues (
  id uuid primary key,
  entity_id uuid not null references entities (id),
  name text not null,
  address text not null,
  step_free boolean not null,
  hearing_loop boolean not null,
  parking boolean not null,
  access_notes text not null
);
create index venues_place on venues (entity_id, name);
create table venue_rooms (
  id uuid primary key,
  venue_id uuid not null references venues (id) on delete cascade,
  name text not null,
  capacity int not null,
  place int not null
);
create index venue_rooms_venue on venue_rooms (venue_id, place);
select protect('venues', 'exists (select 1 from scope_own s where s.id = venues.entity_id)');
select protect('venue_rooms', 'exists (select 1 from venues v where v.id = venue_rooms.venue_id)');

alter table training_sessions add column venue_id uuid references venues (id) on delete set null;
alter table training_sessions add column room_id uuid references venue_rooms (id) on delete set null;
create index training_sessions_venue on training_sessions (venue_id) where venue_id is not null;
create index training_sessions_room on training_sessions (room_id) where room_id is not null;

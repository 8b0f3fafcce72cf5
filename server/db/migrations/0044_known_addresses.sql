-- Whoever has signed in from an address is held up there by their own failures alone, until this time.
alter table sign_in_failures add column known_until timestamptz;

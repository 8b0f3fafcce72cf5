-- What an organisation has chosen itself, field by field: what it has not chosen comes from above.
update whitelabels set document = jsonb_strip_nulls((document - 'colours' - 'slug') || coalesce(document -> 'colours', '{}'));
alter table whitelabels add column certificate jsonb not null default '{}';
alter table whitelabels add column updated_at timestamptz not null default now();

-- Pictures of brandings. They are seen before anybody has signed in, so only what stands here is given out.
create table brand_pictures (hash text primary key, bytes integer not null, created_at timestamptz not null default now());

alter table outgoing_mail add column html text;

create table settings (key text primary key, value text not null);

create table entities (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  level text not null check (level in ('A', 'B')),
  parent_id uuid references entities (id),
  email text, code text, telephone text, website text, notes text, address text,
  is_training_company boolean not null default false,
  can_view_internal_bookings boolean not null default true,
  can_view_external_bookings boolean not null default false,
  can_manage_bookings boolean not null default false,
  can_see_new_dashboards boolean not null default false,
  starter_period_days integer not null default 84,
  expiry_warning_days integer not null default 60,
  password_expire_period_in_months integer,
  password_requirements jsonb,
  created_at timestamptz not null default now()
);
create index entities_parent on entities (parent_id);

create table whitelabels (
  entity_id uuid primary key references entities (id) on delete cascade,
  subdomain text unique,
  document jsonb not null
);

create table roles (id uuid primary key, entity_id uuid not null references entities (id), name text not null, inspectable boolean not null default true);
create table types (id uuid primary key, entity_id uuid not null references entities (id), name text not null);
create table type_permissions (type_id uuid not null references types (id) on delete cascade, permission_id integer not null, primary key (type_id, permission_id));
create table entity_permissions (entity_id uuid not null references entities (id) on delete cascade, permission_id integer not null, primary key (entity_id, permission_id));

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  password_hash text,
  password_changed_at timestamptz not null default now(),
  email_verified_at timestamptz,
  super_admin boolean not null default false,
  is_trainer boolean not null default false,
  primary_entity_id uuid not null references entities (id),
  role_id uuid references roles (id),
  type_id uuid references types (id),
  preferences jsonb not null default '{}',
  started_on date not null default current_date,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create index users_entity on users (primary_entity_id, name);
create table user_permissions (user_id uuid not null references users (id) on delete cascade, permission_id integer not null, primary key (user_id, permission_id));

-- Sessions of the web (cookie) and of the mobile app (bearer token): only a hash of the secret is kept.
create table sessions (
  id_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('web', 'token')),
  device_name text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

create table one_time_tokens (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'verify_email')),
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table sign_in_failures (key text primary key, failures integer not null, last_at timestamptz not null);

create table courses (
  id uuid primary key, title text not null, short_title text not null, published boolean not null default true,
  renewal_months integer, entity_id uuid not null references entities (id), delivery text not null default 'elearning'
);
create table contents (
  id uuid primary key, course_id uuid not null references courses (id), type text not null check (type in ('elearning', 'historical', 'face2face', 'exempt', 'scorm')),
  title text not null, published boolean not null default true, current_version integer not null default 1
);
create index contents_course on contents (course_id);
-- What a device downloads (document) and what only the server knows (answer_keys), for every version ever published.
create table content_versions (
  content_id uuid not null references contents (id), version integer not null, document jsonb not null, answer_keys jsonb not null,
  published_at timestamptz not null default now(), primary key (content_id, version)
);
create table content_prerequisites (content_id uuid not null references contents (id), group_no integer not null, required_content_id uuid not null references contents (id), primary key (content_id, group_no, required_content_id));
create table media (hash text primary key, name text not null unique, type text not null, bytes bigint not null, created_at timestamptz not null default now());
create table entity_courses (entity_id uuid not null references entities (id), course_id uuid not null references courses (id), primary key (entity_id, course_id));

-- Who must do which course: by job role within an organisation and all below it.
create table compliance (
  id uuid primary key, role_id uuid not null references roles (id), course_id uuid not null references courses (id),
  type text not null check (type in ('primary', 'secondary')), unique (role_id, course_id)
);

create table attempts (
  id uuid primary key,
  user_id uuid not null references users (id),
  content_id uuid not null references contents (id),
  content_version integer not null,
  try_no integer not null,
  state text not null default 'open' check (state in ('open', 'submitted', 'graded')),
  closed_at timestamptz,
  percent integer not null default 0,
  score integer,
  passed boolean,
  started_at timestamptz not null,
  completed_at timestamptz,
  last_topic_id uuid,
  rev integer not null default 1,
  updated_at timestamptz not null default now(),
  unique (user_id, content_id, try_no)
);
create table topic_progress (
  attempt_id uuid not null references attempts (id) on delete cascade, topic_id uuid not null,
  state text not null check (state in ('none', 'started', 'completed')), percent integer not null, completed_at timestamptz,
  seconds jsonb not null default '{}', primary key (attempt_id, topic_id)
);
create table draft_answers (
  attempt_id uuid not null references attempts (id) on delete cascade, quiz_id uuid not null, try_no integer not null, question_id uuid not null,
  answer jsonb not null, at timestamptz not null, primary key (attempt_id, quiz_id, try_no, question_id)
);
-- One row for each try that was handed in. `id` is the id of the device's change: it can never be applied twice.
create table quiz_submissions (
  id uuid primary key, attempt_id uuid not null references attempts (id) on delete cascade, quiz_id uuid not null, try_no integer not null,
  answers jsonb not null, outcomes jsonb not null, score integer not null, passed boolean not null,
  submitted_at timestamptz not null, received_at timestamptz not null default now(), unique (attempt_id, quiz_id, try_no)
);
create table results (
  id uuid primary key, user_id uuid not null references users (id), course_id uuid not null references courses (id),
  content_id uuid references contents (id), attempt_id uuid unique references attempts (id), type text not null, completed_at timestamptz not null,
  expires_at timestamptz, score integer, created_at timestamptz not null default now()
);
create index results_user_course on results (user_id, course_id, completed_at desc);
create table feedback (id uuid primary key, user_id uuid not null references users (id), content_id uuid not null references contents (id), rating integer not null, message text not null, created_at timestamptz not null default now());

-- What came of every change a device sent: a second arrival gets the first answer. Answers are kept 90 days, ids 400.
create table ledger (
  user_id uuid not null references users (id), entry_id uuid not null, fingerprint text not null, answer jsonb, at timestamptz not null default now(),
  primary key (user_id, entry_id)
);
-- What was refused is never thrown away.
create table refusals (
  user_id uuid not null references users (id), entry_id uuid not null, command text not null, payload jsonb not null, code text not null, message text not null,
  at timestamptz not null default now(), primary key (user_id, entry_id)
);

create table outgoing_mail (id uuid primary key, recipient text not null, subject text not null, body text not null, at timestamptz not null default now());
create table help_articles (id uuid primary key, title text not null, url_regex text not null, link_suffix text not null, body text not null);

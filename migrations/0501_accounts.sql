create table users (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the back office searches in.
  search text not null generated always as (lower(name || ' ' || email)) stored
);

create index users_admins on users (id) where is_admin;
create index users_by_name on users (lower(name), id);
create index users_created_at on users (created_at desc, id desc);
create unique index users_email_key on users (lower(email));
create index users_roles on users (is_admin);
create index users_search on users using gin (search gin_trgm_ops);

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When password or code were last entered again in this session.
  proven_at timestamptz
);

create index sessions_expires_at on sessions (expires_at);
create index sessions_user on sessions (user_id);

-- Browsers on which an account has been logged in. The key is a hash of the browser's token and the account together.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  device_hash bytea not null check (length(device_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);

create index known_devices_used_at on known_devices (used_at);

-- One live code per account.
create table password_resets (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  tries_left smallint not null check (tries_left >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  asker_hash bytea not null check (length(asker_hash) = 32),
  others_tries_left smallint not null check (others_tries_left >= 0),
  primary key (user_id, asker_hash)
);

-- The second factor of an administrator: a shared secret from which an app makes codes (RFC 6238), and recovery codes for when the app is lost.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Null until the first code has shown that the app has it. The first byte says whether it is encrypted.
  secret bytea,
  -- One that is being set up; the one before it works until then.
  pending_secret bytea,
  pending_at timestamptz,
  confirmed_at timestamptz,
  -- The 30 seconds of the last code that was used: no code of those, or of earlier ones, works again.
  last_step bigint not null default 0,
  check ((pending_secret is null) = (pending_at is null)),
  check ((secret is null) = (confirmed_at is null))
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (user_id, code_hash)
);

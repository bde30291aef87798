-- Browsers on which an account has been logged in. The key is a hash of the browser's token and the account together.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  device_hash bytea not null check (length(device_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
create index known_devices_used_at on known_devices (used_at);

-- A code belongs to whoever asked for it, so that nobody else's requests replace it or use up its tries.
-- Codes live ten minutes; those under way are asked for again.
delete from password_resets;
alter table password_resets
  drop constraint password_resets_pkey,
  add column asker_hash bytea not null check (length(asker_hash) = 32),
  add column others_tries_left smallint not null check (others_tries_left >= 0),
  add primary key (user_id, asker_hash);

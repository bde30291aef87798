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
-- When whoever has the session last entered the password, or a code, again.
alter table sessions add column proven_at timestamptz;

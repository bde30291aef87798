-- Tries counted within a window of time, shared by all processes.
create table rate_limits (
  key text primary key,
  tries integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- Work to be done outside of requests, queued in the transaction of what it belongs to. `taken_by` is the number of the process that does it, which
-- holds an advisory lock of that number for as long as it lives.
create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  -- Jobs of one lane are done one after the other.
  lane text,
  key text,
  payload jsonb not null,
  run_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  max_attempts integer not null default 25,
  last_error text,
  taken_by integer
);
create unique index jobs_key on jobs (key) where taken_by is null;
create unique index jobs_lane on jobs (lane) where taken_by is not null;
create index jobs_due on jobs (run_at, id) where taken_by is null;

-- When each job that runs by the clock was last queued, so that of several processes one does it.
create table job_schedule (
  name text primary key,
  queued_at timestamptz not null
);

-- What the staff are to be told by email, a row for each address, written in the transaction of what it speaks of. A row goes when its email is queued.
create table staff_notices (
  id bigint generated always as identity primary key,
  address text not null,
  event text not null,
  "text" text not null,
  -- The page of the back office that shows it.
  path text not null,
  due_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index staff_notices_due on staff_notices (due_at);

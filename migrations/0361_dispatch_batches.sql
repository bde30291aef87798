-- Orders that were dispatched in one go, and can be taken back in one go until their mails leave.
create table dispatch_batches (
  id uuid primary key,
  created_at timestamptz not null default now(),
  actor text not null,
  -- Until then it can be undone; the mails leave after it.
  undo_until timestamptz not null,
  undone_at timestamptz
);
create index dispatch_batches_newest on dispatch_batches (created_at);
alter table parcels add column batch_id uuid references dispatch_batches;
create index parcels_batch on parcels (batch_id) where batch_id is not null;

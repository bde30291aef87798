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

create table parcels (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  sent_at timestamptz not null default now(),
  actor text not null,
  -- A key of src/contract/delivery/carriers.ts, or a name; empty where none was given.
  carrier text not null default '',
  tracking_number text not null default '',
  -- Typed by an administrator; known carriers' links are made of the number.
  tracking_link text not null default '' check (tracking_link = '' or tracking_link like 'https://%'),
  expected_on date,
  -- A parcel that failed came back to the shop; one that was taken back never left it.
  status text not null default 'sent' check (status in ('sent', 'failed', 'taken_back')),
  -- When the customer was told of it by mail.
  told_at timestamptz,
  batch_id uuid references dispatch_batches
);

create index parcels_batch on parcels (batch_id) where batch_id is not null;
create index parcels_order on parcels (order_id, sent_at, id);

create table parcel_items (
  parcel_id uuid not null references parcels on delete cascade,
  -- The line of the order.
  position integer not null,
  qty integer not null check (qty > 0),
  primary key (parcel_id, position)
);

create table order_returns (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  asked_at timestamptz not null default now(),
  reason text not null,
  -- What the customer says besides.
  note text not null default '',
  -- Asked for by an administrator, such as for faulty goods after the window.
  actor text not null,
  status text not null check (status in ('asked', 'approved', 'refused', 'withdrawn', 'received')),
  decided_at timestamptz,
  -- What the shop says to it.
  answer text not null default '',
  -- Until when the pieces are to be sent back.
  send_by date,
  received_at timestamptz,
  check ((decided_at is null) = (status in ('asked', 'withdrawn')) or status = 'withdrawn'),
  check ((received_at is not null) = (status = 'received'))
);

create index order_returns_asked on order_returns (asked_at) where status = 'asked';
create index order_returns_order on order_returns (order_id, asked_at, id);

create table order_return_items (
  return_id uuid not null references order_returns on delete cascade,
  position integer not null,
  qty integer not null check (qty > 0),
  -- Of those, what came back and can be sold again, and what came back and cannot.
  restocked_qty integer not null default 0 check (restocked_qty >= 0),
  spoiled_qty integer not null default 0 check (spoiled_qty >= 0),
  primary key (return_id, position),
  check (restocked_qty + spoiled_qty <= qty)
);

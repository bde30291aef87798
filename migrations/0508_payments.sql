-- Provider events already handled; a second delivery finds its id here.
create table payment_events (
  id text primary key,
  kind text not null,
  received_at timestamptz not null default now()
);

-- Until when the provider was asked what became of its payment sessions (`payments/payments.jobs.ts`). A shop that comes back from a backup, or could
-- not ask for days, goes on from there.
create table payment_watch (
  only_row boolean default true primary key check (only_row),
  asked_until timestamptz not null
);

create table order_refunds (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  created_at timestamptz not null default now(),
  amount integer not null check (amount > 0),
  reason text not null,
  -- The lines that it is for, in words.
  detail text not null default '',
  actor text not null,
  -- Paid back in cash or by bank transfer, instead of through the payment provider.
  is_by_hand boolean not null,
  status text not null check (status in ('pending', 'done', 'failed')),
  -- Counts the tries; each is another request to the provider.
  attempt integer not null default 1,
  provider_refund_id text unique,
  -- What the provider said when it failed.
  failure text not null default '',
  -- The Idempotency-Key of the request that asked for it.
  request_key text,
  unique (order_id, request_key)
);

create index order_refunds_failed on order_refunds (order_id) where status = 'failed';
create index order_refunds_order on order_refunds (order_id, created_at, id);
create index order_refunds_pending on order_refunds (created_at) where status = 'pending';

-- Disputes, as the provider last told of each.
create table order_disputes (
  id text primary key,
  order_id uuid not null references orders on delete cascade,
  status text not null check (status in ('open', 'won', 'lost', 'closed')),
  amount integer not null,
  reason text not null,
  updated_at timestamptz not null default now()
);

create index order_disputes_open on order_disputes (order_id) where status = 'open';

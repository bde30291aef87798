-- A correction that costs more than was paid: it is made once the customer has paid the difference. What it adds is out of stock meanwhile. One that is
-- `closing` can no longer be paid, and gives its pieces back.
create table order_corrections (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  status text not null check (status in ('open', 'closing', 'ended', 'paid')),
  -- What the order was when the correction was worked out.
  revision integer not null,
  plan jsonb not null,
  difference integer not null check (difference > 0),
  actor text not null,
  created_at timestamptz not null default now(),
  pay_until timestamptz not null,
  -- The provider's latest page for it.
  session_id text unique,
  payment_url text,
  session_until timestamptz
);
create unique index order_corrections_open on order_corrections (order_id) where status = 'open';
create index order_corrections_order on order_corrections (order_id);
create index order_corrections_holding on order_corrections (status) where status in ('open', 'closing');

-- Card payments of an order after its first, which `orders` names.
create table order_payments (
  payment_id text primary key,
  order_id uuid not null references orders on delete cascade,
  session_id text not null unique,
  amount integer not null check (amount > 0),
  paid_at timestamptz not null default now()
);
create index order_payments_order on order_payments (order_id);

-- The payment that a refund comes out of; null for the order's first.
alter table order_refunds add column payment_id text;

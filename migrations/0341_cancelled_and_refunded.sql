-- Orders are cancelled, wholly or by line, and what was paid is given back, wholly or in part.
alter table orders
  -- What was cancelled before it was paid, and so is not to be paid any more.
  add column waived_price integer not null default 0,
  -- What has gone back to the customer or is on its way there.
  add column refunded_price integer not null default 0,
  add constraint orders_waived_price_check check (waived_price between 0 and total_price),
  -- Never more than was paid.
  add constraint orders_refunded_price_check check (
    refunded_price between 0 and case when paid_at is null then 0 else total_price - waived_price end);
create index orders_payment on orders (provider_payment_id) where provider_payment_id is not null;
drop index orders_sold;
create index orders_sold on orders (created_at) include (id, total_price, waived_price, refunded_price)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed');

-- Pieces of a line: cancelled before they left, back in stock after they left, and those whose price was given back.
alter table order_items
  add column cancelled_qty integer not null default 0,
  add column returned_qty integer not null default 0,
  add column refunded_qty integer not null default 0,
  add constraint order_items_back_check check (cancelled_qty >= 0 and returned_qty >= 0 and cancelled_qty + returned_qty <= qty),
  add constraint order_items_refunded_check check (refunded_qty between 0 and qty);

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
create index order_refunds_order on order_refunds (order_id, created_at, id);
create index order_refunds_pending on order_refunds (created_at) where status = 'pending';

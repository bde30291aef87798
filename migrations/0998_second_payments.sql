-- Card payments of an order that were not kept, since it was paid already or the change that they were for was no longer possible. A job refunds each at once. They are
-- no part of the order's own sums.
create table second_payments (
  payment_id text primary key,
  order_id uuid not null references orders (id) on delete cascade,
  paid_at timestamptz not null default now(),
  -- Pence.
  amount integer not null check (amount > 0)
);
create index second_payments_of_order on second_payments (order_id);

-- Their refunds and disputes, as the provider last told of each.
create table second_payment_outcomes (
  id text primary key,
  payment_id text not null references second_payments on delete cascade,
  kind text not null check (kind in ('refund', 'dispute')),
  -- Pence.
  amount integer not null check (amount >= 0),
  status text not null,
  check (status in ('pending', 'done', 'failed') and kind = 'refund' or status in ('inquiry', 'open', 'won', 'lost', 'closed') and kind = 'dispute')
);
create index second_payment_outcomes_of_payment on second_payment_outcomes (payment_id);
create index second_payment_outcomes_open on second_payment_outcomes (payment_id) where status in ('pending', 'inquiry', 'open');

-- The second payment that is owed again, such as after the bank has returned its refund: `received_by` is “transfer” for it. The version before pays it back by hand.
alter table overpayments add column payment_id text;
-- When it was last asked of the provider again.
alter table overpayments add column tried_at timestamptz;

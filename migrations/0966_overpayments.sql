-- Money that came in besides what was due for an order, such as a transfer after the order was cancelled. The shop owes it (`owed`) until staff have paid it
-- back (`paid_back`), or say that it never came in (`undone`). It is no part of the order's own sums.
create table overpayments (
  id uuid primary key,
  order_id uuid not null references orders (id) on delete cascade,
  received_at timestamptz not null default now(),
  -- Pence.
  amount integer not null check (amount > 0),
  received_by text not null check (received_by in ('cash', 'transfer')),
  actor text not null,
  -- Recorded with the order's own payment, and undone with it.
  is_with_payment boolean not null default false,
  -- What the order had to collect before, in pence: this receipt ends that, and undoing it brings it back.
  collected integer not null default 0 check (collected >= 0),
  status text not null default 'owed' check (status in ('owed', 'paid_back', 'undone')),
  paid_back_by text check (paid_back_by in ('cash', 'transfer')),
  ended_at timestamptz,
  request_key text,
  request_hash bytea,
  check ((status = 'owed') = (ended_at is null)),
  check ((status = 'paid_back') = (paid_back_by is not null))
);
create index overpayments_of_order on overpayments (order_id);
create index overpayments_owed on overpayments (order_id) where status = 'owed';
create unique index overpayments_key on overpayments (order_id, request_key) where request_key is not null;
create index overpayments_by_time on overpayments (received_at);
create index overpayments_by_end on overpayments (ended_at) where ended_at is not null;

-- What the drivers of a delivered cash order were to collect, in pence, until it is recorded or staff say that nothing was collected. What is still due may
-- be less by now, since pieces came back.
alter table orders add column to_collect integer not null default 0;
alter table orders add constraint orders_to_collect_check check (to_collect >= 0) not valid;

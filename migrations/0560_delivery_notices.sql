-- Orders that were marked as delivered in one go, and when their customers were told: ten minutes later, unless that was undone before.
create table delivery_notices (
  batch_id uuid not null references dispatch_batches,
  order_id uuid not null references orders,
  told_at timestamptz,
  primary key (batch_id, order_id)
);
create index delivery_notices_order on delivery_notices (order_id);

-- no transaction
-- Cancelled orders of whose payment something is left: few, those whose payment was disputed just then.
drop index concurrently if exists orders_cancelled_with_money;
create index concurrently orders_cancelled_with_money on orders (id)
  where order_state = 'cancelled' and paid_at is not null and total_price - waived_price - refunded_price - disputed_price > 0;

-- no transaction
-- Cancelled orders of which something is still to be refunded.
drop index concurrently if exists orders_due_back;
create index concurrently orders_due_back on orders (id)
  where order_state = 'cancelled' and refunded_price + disputed_price < coalesce(due_back, 0);
drop index concurrently if exists orders_cancelled_with_money;

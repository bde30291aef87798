-- no transaction
-- Of a returned order something may still be owed.
drop index concurrently if exists orders_arrived_unpaid;
create index concurrently orders_arrived_unpaid on orders (created_at desc, id desc)
  where order_state in ('delivered', 'return_asked', 'return_approved', 'returned') and paid_at is null and total_price > waived_price;
drop index concurrently if exists orders_delivered_unpaid;

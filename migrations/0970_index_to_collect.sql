-- no transaction
-- Delivered orders with something left to pay, or with cash that their drivers may hold.
drop index concurrently if exists orders_arrived_open;
create index concurrently orders_arrived_open on orders (created_at desc, id desc)
  where order_state in ('delivered', 'return_asked', 'return_approved', 'returned')
    and (paid_at is null and total_price > waived_price or to_collect > 0 and (paid_at is null or received_by = 'transfer'));
drop index concurrently if exists orders_arrived_unpaid;

-- no transaction
-- Tabs of the order list: promises that have passed, deliveries that nobody has paid for, and returns on their way.
drop index concurrently if exists orders_promised;
create index concurrently orders_promised on orders (delivery_to)
  where order_state not in ('awaiting_payment', 'expired', 'delivered', 'return_asked', 'return_approved', 'returned', 'cancelled', 'refunded');
drop index concurrently if exists orders_delivered_unpaid;
create index concurrently orders_delivered_unpaid on orders (created_at desc, id desc)
  where order_state in ('delivered', 'return_asked', 'return_approved') and paid_at is null and total_price > waived_price;
drop index concurrently if exists order_returns_approved;
create index concurrently order_returns_approved on order_returns (order_id) where status = 'approved';

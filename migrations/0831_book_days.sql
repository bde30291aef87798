-- no transaction
-- Orders by the day on which they were paid, and delivered.
drop index concurrently if exists orders_by_payment;
create index concurrently orders_by_payment on orders (paid_at) where paid_at is not null;
drop index concurrently if exists orders_by_delivery;
create index concurrently orders_by_delivery on orders (delivered_at) where delivered_at is not null;
drop index concurrently if exists order_refunds_by_hand;
create index concurrently order_refunds_by_hand on order_refunds (created_at) where is_by_hand;

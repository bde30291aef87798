-- no transaction
-- Refunds that wait for staff: those that failed, and those that are paid back by hand.
drop index concurrently if exists order_refunds_to_pay_back;
create index concurrently order_refunds_to_pay_back on order_refunds (order_id) where status = 'failed' or status = 'pending' and is_by_hand;
drop index concurrently if exists order_refunds_failed;

-- no transaction
-- Refunds by hand by the day on which they were made.
drop index concurrently if exists order_refunds_by_hand_done;
create index concurrently order_refunds_by_hand_done on order_refunds (done_at) where is_by_hand;
drop index concurrently if exists order_refunds_by_hand;

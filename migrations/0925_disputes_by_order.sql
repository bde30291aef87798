-- no transaction
-- Disputes by order, whatever their status.
drop index concurrently if exists order_disputes_by_order;
create index concurrently order_disputes_by_order on order_disputes (order_id);
drop index concurrently if exists order_disputes_open;

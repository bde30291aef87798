-- no transaction
-- The tab of orders to approve, and their number beside it.
drop index concurrently if exists orders_to_approve;
create index concurrently orders_to_approve on orders (created_at, id) where awaits_approval and status = 'placed' and delivered_at is null;

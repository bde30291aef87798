-- no transaction
-- Lines with pieces that left their order and were not settled: few, those whose payment was disputed just then.
drop index concurrently if exists order_items_unsettled;
create index concurrently order_items_unsettled on order_items (order_id) where cancelled_qty + returned_qty + spoiled_qty > refunded_qty;

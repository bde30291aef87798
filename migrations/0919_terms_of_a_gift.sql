-- The least subtotal with which an order had its promotion, which staff may change afterwards. Null for orders from before: the promotion's own counts.
alter table redemptions add column least_subtotal integer;
-- The set in which a part was ordered: promotions for the set meant its lines. Null for other lines, and those from before.
alter table order_items add column set_id uuid;

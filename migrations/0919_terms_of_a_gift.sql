-- The least subtotal with which an order had its promotion, which staff may change afterwards. Null for orders from before: the promotion's own counts.
alter table redemptions add column least_subtotal integer;

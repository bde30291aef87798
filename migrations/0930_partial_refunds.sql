-- Pence refunded for pieces of the line at less than their price. The pieces bring back that much less once they leave the order.
alter table order_items add column partial_refund integer not null default 0;
alter table order_items add constraint order_items_partial_refund_check check (partial_refund >= 0) not valid;

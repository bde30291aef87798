-- Pence refunded for pieces of the line at less than their price. The pieces bring back that much less once they leave the order.
alter table order_items add column partial_refund integer not null default 0 check (partial_refund >= 0);

-- The correction that added a line or issued an invoice, from 1; 0 for the order as it was placed.
alter table order_items add column part integer not null default 0;
alter table invoices add column part integer not null default 0;
-- Delivery that became cheaper by a correction; part of `waived_price` or of a refund.
alter table orders
  add column delivery_off integer not null default 0,
  add constraint orders_delivery_off_check check (delivery_off >= 0 and delivery_off <= shipping_price) not valid;

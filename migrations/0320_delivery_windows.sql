-- The days on which an order is promised to arrive, as its buyer was told; null where the days could not be told, and for older orders.
alter table orders
  add column delivery_from date,
  add column delivery_to date,
  add constraint orders_delivery_window check ((delivery_from is null) = (delivery_to is null) and delivery_from <= delivery_to);

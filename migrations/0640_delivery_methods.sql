-- Methods of delivery are the owner's: an order keeps the label of its own, and a card checkout the prices that it offered.
alter table orders drop constraint orders_shipping_method_check;
alter table orders add column shipping_label text not null default 'Standard delivery', add column delivery_offer jsonb;
alter table orders add constraint orders_shipping_method check (shipping_method ~ '^[a-z0-9-]{1,40}$') not valid;

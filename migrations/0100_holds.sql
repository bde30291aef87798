-- A card checkout's way back: the hash of the mark in the cancel address that the provider is given, and the page to pay on, which a request
-- that is sent again gets again.
alter table orders add column cancel_mark_hash bytea, add column payment_url text;
create unique index orders_cancel_mark on orders (cancel_mark_hash) where cancel_mark_hash is not null;
-- The holds of one customer.
create index orders_open_of_user on orders (user_id) where status = 'awaiting_payment';

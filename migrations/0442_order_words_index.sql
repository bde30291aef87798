-- no transaction
-- Without quick insertion: each search would read what waits to be inserted, and an order has few words.
drop index concurrently if exists orders_words;
create index concurrently orders_words on orders using gin (order_words(user_name || ' ' || user_email || ' ' || full_name || ' ' || email))
  with (fastupdate = off) where status not in ('awaiting_payment', 'expired');
-- The version before searches without it, if it must, for as long as the two run beside each other.
drop index concurrently if exists orders_search;

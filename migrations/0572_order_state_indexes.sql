-- no transaction
-- The indexes of `orders` by the column of 0570. Their conditions leave states out instead of naming them, so that a further state needs no further
-- index.
drop index concurrently if exists orders_in_list;
create index concurrently orders_in_list on orders (created_at desc, id desc) include (order_state, paid_at, delivered_at)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists orders_in_list_by_total;
create index concurrently orders_in_list_by_total on orders (total_price desc, id desc) include (order_state, paid_at, delivered_at, created_at)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists orders_in_list_of_user;
create index concurrently orders_in_list_of_user on orders (user_id, created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists orders_in_list_paid;
create index concurrently orders_in_list_paid on orders (order_state) include (delivered_at)
  where order_state not in ('awaiting_payment', 'expired') and paid_at is not null;
drop index concurrently if exists orders_in_list_delivered;
create index concurrently orders_in_list_delivered on orders (order_state) include (paid_at)
  where order_state not in ('awaiting_payment', 'expired') and delivered_at is not null;
drop index concurrently if exists orders_in_list_words;
create index concurrently orders_in_list_words on orders using gin (order_words(user_name || ' ' || user_email || ' ' || full_name || ' ' || email))
  with (fastupdate = off)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists orders_bought;
create index concurrently orders_bought on orders (created_at) include (id, total_price, waived_price, refunded_price)
  where order_state not in ('awaiting_payment', 'expired', 'cancelled', 'refunded');
drop index concurrently if exists orders_not_paid;
create index concurrently orders_not_paid on orders (created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired', 'cancelled', 'refunded') and paid_at is null;
drop index concurrently if exists orders_to_deliver;
create index concurrently orders_to_deliver on orders (created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired', 'delivered', 'return_asked', 'return_approved', 'returned', 'cancelled', 'refunded');
drop index concurrently if exists orders_in_queues;
create index concurrently orders_in_queues on orders (order_state, created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired', 'delivered', 'return_asked', 'return_approved', 'returned', 'cancelled', 'refunded');
drop index concurrently if exists orders_not_approved;
create index concurrently orders_not_approved on orders (created_at, id)
  where awaits_approval and order_state = 'placed';
drop index concurrently if exists orders_in_cash_of_user;
create index concurrently orders_in_cash_of_user on orders (user_id)
  where order_state not in ('awaiting_payment', 'expired', 'delivered', 'return_asked', 'return_approved', 'returned', 'cancelled', 'refunded') and paid_at is null and payment_method <> 'Credit Card';
drop index concurrently if exists orders_in_cash_at;
create index concurrently orders_in_cash_at on orders (place_key(line1, line2, postal_code))
  where order_state not in ('awaiting_payment', 'expired', 'delivered', 'return_asked', 'return_approved', 'returned', 'cancelled', 'refunded') and paid_at is null and payment_method <> 'Credit Card';
drop index concurrently if exists orders_awaiting_of_user;
create index concurrently orders_awaiting_of_user on orders (user_id)
  where order_state = 'awaiting_payment';
drop index concurrently if exists orders_held_until;
create index concurrently orders_held_until on orders (hold_expires_at)
  where order_state = 'awaiting_payment';
drop index concurrently if exists orders_never_paid;
create index concurrently orders_never_paid on orders (created_at)
  where order_state = 'expired' and user_name <> 'Erased customer';
-- The version before goes without these while the two run beside each other. Those that its checkouts need go with the columns `status` and
-- `return_stage`, one release later: orders_awaiting, orders_held, orders_of_user, orders_open_cash, orders_unpaid_at.
drop index concurrently if exists orders_listed;
drop index concurrently if exists orders_by_total;
drop index concurrently if exists orders_paid;
drop index concurrently if exists orders_delivered;
drop index concurrently if exists orders_words;
drop index concurrently if exists orders_sold;
drop index concurrently if exists orders_unpaid;
drop index concurrently if exists orders_undelivered;
drop index concurrently if exists orders_states;
drop index concurrently if exists orders_to_pack;
drop index concurrently if exists orders_to_dispatch;
drop index concurrently if exists orders_to_approve;
drop index concurrently if exists orders_open_of_user;
drop index concurrently if exists orders_unpaid_named;

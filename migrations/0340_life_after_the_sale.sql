-- What happens to an order between its sale and its end: packed, dispatched, delivered or not. A delivered order stays `placed` with
-- the date of its delivery, as the version before writes it, so that both can serve while one replaces the other.
alter table orders drop constraint orders_status_check;
alter table orders add constraint orders_status_check check (status in (
  'awaiting_payment', 'expired', 'placed', 'packing', 'dispatched', 'delivery_failed', 'cancelled', 'refunded'));
alter table orders add column dispatched_at timestamptz;

-- The state of an order as src/server/orders/states.ts names it.
create function state_of(status text, delivered_at timestamptz) returns text language sql immutable as $$
  select case when status = 'placed' and delivered_at is not null then 'delivered' else status end
$$;
create or replace function check_order_step() returns trigger language plpgsql as $$
declare
  before text := state_of(old.status, old.delivered_at);
  after text := state_of(new.status, new.delivered_at);
begin
  if before <> after and (before, after) not in (
    ('awaiting_payment', 'placed'), ('awaiting_payment', 'expired'),
    ('expired', 'placed'), ('expired', 'refunded'),
    ('placed', 'packing'), ('packing', 'placed'),
    ('placed', 'dispatched'), ('packing', 'dispatched'), ('delivery_failed', 'dispatched'), ('dispatched', 'packing'),
    ('dispatched', 'delivery_failed'),
    ('placed', 'delivered'), ('packing', 'delivered'), ('dispatched', 'delivered'), ('delivery_failed', 'delivered'),
    ('delivered', 'placed'), ('delivered', 'dispatched'),
    ('placed', 'cancelled'), ('packing', 'cancelled'), ('delivery_failed', 'cancelled')
  ) then
    raise exception 'an order that is % cannot become %', before, after using errcode = 'check_violation', constraint = 'orders_step';
  end if;
  return new;
end $$;
drop trigger orders_step on orders;
create trigger orders_step before update of status, delivered_at on orders for each row
  when (old.status is distinct from new.status or old.delivered_at is distinct from new.delivered_at) execute function check_order_step();

-- What is listed is everything but a checkout that was never paid, so that a further state needs no further index.
drop index orders_listed;
drop index orders_of_user;
drop index orders_search;
drop index orders_by_total;
drop index orders_undelivered;
drop index orders_unpaid;
drop index orders_states;
drop index orders_paid;
drop index orders_delivered;
drop index orders_sold;
drop index orders_open_cash;
create index orders_listed on orders (created_at desc, id desc) include (status, paid_at, delivered_at)
  where status not in ('awaiting_payment', 'expired');
create index orders_of_user on orders (user_id, created_at desc, id desc) where status not in ('awaiting_payment', 'expired');
create index orders_search on orders using gin ((lower(user_name || ' ' || user_email || ' ' || full_name || ' ' || email)) gin_trgm_ops)
  where status not in ('awaiting_payment', 'expired');
create index orders_by_total on orders (total_price desc, id desc) include (status, paid_at, delivered_at, created_at)
  where status not in ('awaiting_payment', 'expired');
create index orders_states on orders (status) where status not in ('awaiting_payment', 'expired');
create index orders_paid on orders (status) include (delivered_at) where status not in ('awaiting_payment', 'expired') and paid_at is not null;
create index orders_delivered on orders (status) include (paid_at)
  where status not in ('awaiting_payment', 'expired') and delivered_at is not null;
create index orders_undelivered on orders (created_at desc, id desc)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and delivered_at is null;
create index orders_unpaid on orders (created_at desc, id desc)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null;
create index orders_sold on orders (created_at) include (id, total_price) where status in ('placed', 'packing', 'dispatched', 'delivery_failed');
create index orders_open_cash on orders (user_id)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null and delivered_at is null
    and payment_method <> 'Credit Card';

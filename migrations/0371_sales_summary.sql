-- What was sold is summed up day by day, so that reading it costs the same however many orders there are. Triggers append what changes, which
-- makes nobody wait for anybody; a job adds that up every minute, and whoever reads adds what is left.

-- The shop's day of a moment.
create function shop_day(at timestamptz) returns date language sql stable as $$ select (at at time zone 'Europe/London')::date $$;
-- Whether the pieces of an order are bought, as src/server/orders/rules/states.ts has it.
create function is_sold(status text) returns boolean language sql immutable as $$
  select status not in ('awaiting_payment', 'expired', 'cancelled', 'refunded')
$$;

create table sales_days (
  day date primary key,
  -- All that lists show, sold or not.
  listed integer not null,
  orders integer not null,
  revenue bigint not null
);
-- Of the last two months: best sellers are those of thirty days.
create table sales_pieces (
  day date not null,
  product_id uuid not null,
  pieces integer not null,
  revenue bigint not null,
  primary key (day, product_id)
);
create table sales_changes (
  day date not null,
  -- Null where orders are counted, and not pieces.
  product_id uuid,
  listed integer not null default 0,
  orders integer not null default 0,
  pieces integer not null default 0,
  revenue bigint not null default 0
);

create function sum_orders_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), count(*), count(*) filter (where is_sold(status)),
    coalesce(sum(total_price::bigint - waived_price - refunded_price) filter (where is_sold(status)), 0)
  from added where status not in ('awaiting_payment', 'expired') group by 1;
  return null;
end $$;

create function sum_orders_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), sum(sign), coalesce(sum(sign) filter (where is_sold(status)), 0),
    coalesce(sum(sign * (total_price::bigint - waived_price - refunded_price)) filter (where is_sold(status)), 0)
  from (
    select created_at, status, total_price, waived_price, refunded_price, 1 as sign from after
    union all select created_at, status, total_price, waived_price, refunded_price, -1 from before
  ) as moved
  where status not in ('awaiting_payment', 'expired')
  group by 1
  having sum(sign) <> 0 or coalesce(sum(sign) filter (where is_sold(status)), 0) <> 0
    or coalesce(sum(sign * (total_price::bigint - waived_price - refunded_price)) filter (where is_sold(status)), 0) <> 0;
  if exists (
    select from after join before using (id) where is_sold(after.status) <> is_sold(before.status) or after.created_at <> before.created_at
  ) then
    insert into sales_changes (day, product_id, pieces, revenue)
    select shop_day(moved.created_at), item.product_id,
      sum(moved.sign * (item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty)),
      sum(moved.sign * (item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty)::bigint * item.price)
    from (
      select id, created_at, status, 1 as sign from after union all select id, created_at, status, -1 from before
    ) as moved join order_items item on item.order_id = moved.id
    where is_sold(moved.status)
    group by 1, 2
    having sum(moved.sign * (item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty)) <> 0;
  end if;
  return null;
end $$;

create function sum_items_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), added.product_id, sum(added.qty - added.cancelled_qty - added.returned_qty - added.spoiled_qty),
    sum((added.qty - added.cancelled_qty - added.returned_qty - added.spoiled_qty)::bigint * added.price)
  from added join orders on orders.id = added.order_id
  where is_sold(orders.status)
  group by 1, 2;
  return null;
end $$;

create function sum_items_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), moved.product_id, sum(moved.pieces), sum(moved.pieces::bigint * moved.price)
  from (
    select order_id, product_id, price, qty - cancelled_qty - returned_qty - spoiled_qty as pieces from after
    union all select order_id, product_id, price, -(qty - cancelled_qty - returned_qty - spoiled_qty) from before
  ) as moved join orders on orders.id = moved.order_id
  where is_sold(orders.status)
  group by 1, 2
  having sum(moved.pieces) <> 0;
  return null;
end $$;

create trigger orders_summed after insert on orders referencing new table as added for each statement execute function sum_orders_added();
create trigger orders_summed_again after update on orders referencing old table as before new table as after
  for each statement execute function sum_orders_changed();
create trigger items_summed after insert on order_items referencing new table as added for each statement execute function sum_items_added();
create trigger items_summed_again after update on order_items referencing old table as before new table as after
  for each statement execute function sum_items_changed();
-- Also for what is written past the other triggers, so that the sums stay those of the orders.
alter table orders enable always trigger orders_summed;
alter table orders enable always trigger orders_summed_again;
alter table order_items enable always trigger items_summed;
alter table order_items enable always trigger items_summed_again;

insert into sales_days (day, listed, orders, revenue)
select shop_day(created_at), count(*), count(*) filter (where is_sold(status)),
  coalesce(sum(total_price::bigint - waived_price - refunded_price) filter (where is_sold(status)), 0)
from orders where status not in ('awaiting_payment', 'expired') group by 1;
insert into sales_pieces (day, product_id, pieces, revenue)
select shop_day(orders.created_at), item.product_id, sum(item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty),
  sum((item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty)::bigint * item.price)
from orders join order_items item on item.order_id = orders.id
where is_sold(orders.status) and orders.created_at > now() - interval '63 days'
group by 1, 2;

-- Disputes, as the provider last told of each.
create table order_disputes (
  id text primary key,
  order_id uuid not null references orders on delete cascade,
  status text not null check (status in ('open', 'won', 'lost', 'closed')),
  amount integer not null,
  reason text not null,
  updated_at timestamptz not null default now()
);
create index order_disputes_open on order_disputes (order_id) where status = 'open';
create index order_refunds_failed on order_refunds (order_id) where status = 'failed';

-- The tabs of the order list.
create index orders_to_pack on orders (created_at desc, id desc) where status = 'placed' and delivered_at is null;
create index orders_to_dispatch on orders (created_at desc, id desc) where status in ('packing', 'delivery_failed');

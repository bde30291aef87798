-- The shop's day of a moment.
create function shop_day(at timestamptz) returns date language sql stable as $$ select (at at time zone 'Europe/London')::date $$;

-- Whether the pieces of an order are bought, as src/server/orders/rules/states.ts has it.
create function is_sold(status text) returns boolean language sql immutable as $$
  select status not in ('awaiting_payment', 'expired', 'cancelled', 'refunded')
$$;

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

create function sum_pieces_changed() returns trigger language plpgsql as $$
declare
  first_day date := coalesce((select since from sales_window), '-infinity');
begin
  if tg_op <> 'DELETE' then
    insert into sales_best_sellers as kept (product_id, pieces, revenue)
    select product_id, sum(pieces), sum(revenue) from added where day >= first_day group by 1 order by 1
    on conflict (product_id) do update set pieces = kept.pieces + excluded.pieces, revenue = kept.revenue + excluded.revenue;
  end if;
  if tg_op <> 'INSERT' then
    update sales_best_sellers kept set pieces = kept.pieces - less.pieces, revenue = kept.revenue - less.revenue
    from (select product_id, sum(pieces) as pieces, sum(revenue) as revenue from removed where day >= first_day group by 1) as less
    where kept.product_id = less.product_id;
  end if;
  return null;
end $$;

create table sales_changes (
  day date not null,
  -- Null where orders are counted, and not pieces.
  product_id uuid,
  listed integer not null default 0,
  orders integer not null default 0,
  pieces integer not null default 0,
  revenue bigint not null default 0
);

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

-- What was sold of each product in the last thirty days, so that the best sellers are the first rows of an index, however many products there are.
-- It is what `sales_pieces` come to from `sales_window.since` on. Triggers keep it so whoever writes there, also the version of the shop before,
-- which knows nothing of it; the job that adds up sales moves the day on. Without a row they are all that was ever sold: nothing, as yet.
create table sales_window (
  is_only boolean default true primary key check (is_only),
  since date not null
);

create table sales_best_sellers (
  product_id uuid primary key,
  pieces bigint not null,
  revenue bigint not null
);

create index sales_best_sellers_pieces on sales_best_sellers (pieces desc, product_id);

create trigger items_summed after insert on order_items referencing new table as added for each statement execute function sum_items_added();
alter table order_items enable always trigger items_summed;
create trigger items_summed_again after update on order_items referencing old table as before new table as after
  for each statement execute function sum_items_changed();
alter table order_items enable always trigger items_summed_again;
create trigger orders_summed after insert on orders referencing new table as added for each statement execute function sum_orders_added();
alter table orders enable always trigger orders_summed;
create trigger orders_summed_again after update on orders referencing old table as before new table as after
  for each statement execute function sum_orders_changed();
alter table orders enable always trigger orders_summed_again;
create trigger pieces_forgotten after delete on sales_pieces referencing old table as removed for each statement execute function sum_pieces_changed();
alter table sales_pieces enable always trigger pieces_forgotten;
create trigger pieces_summed after insert on sales_pieces referencing new table as added for each statement execute function sum_pieces_changed();
alter table sales_pieces enable always trigger pieces_summed;
create trigger pieces_summed_again after update on sales_pieces referencing old table as removed new table as added
  for each statement execute function sum_pieces_changed();
alter table sales_pieces enable always trigger pieces_summed_again;

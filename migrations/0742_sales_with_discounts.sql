-- The sums of sales (0511) by product: pieces count at what was paid for them.
create or replace function sum_orders_changed() returns trigger language plpgsql as $$
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
    select shop_day(moved.created_at), item.product_id, sum(moved.sign * here.pieces),
      sum(moved.sign * worth_of(item.price, item.qty, item.discount, here.pieces))
    from (
      select id, created_at, status, 1 as sign from after union all select id, created_at, status, -1 from before
    ) as moved join order_items item on item.order_id = moved.id,
      lateral (select item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty as pieces) here
    where is_sold(moved.status)
    group by 1, 2
    having sum(moved.sign * here.pieces) <> 0;
  end if;
  return null;
end $$;

create or replace function sum_items_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), added.product_id, sum(here.pieces),
    sum(worth_of(added.price, added.qty, added.discount, here.pieces))
  from added join orders on orders.id = added.order_id,
    lateral (select added.qty - added.cancelled_qty - added.returned_qty - added.spoiled_qty as pieces) here
  where is_sold(orders.status)
  group by 1, 2;
  return null;
end $$;

create or replace function sum_items_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), moved.product_id, sum(moved.sign * moved.pieces),
    sum(moved.sign * worth_of(moved.price, moved.qty, moved.discount, moved.pieces))
  from (
    select order_id, product_id, price, qty, discount, qty - cancelled_qty - returned_qty - spoiled_qty as pieces, 1 as sign from after
    union all select order_id, product_id, price, qty, discount, qty - cancelled_qty - returned_qty - spoiled_qty, -1 from before
  ) as moved join orders on orders.id = moved.order_id
  where is_sold(orders.status)
  group by 1, 2
  having sum(moved.sign * moved.pieces) <> 0;
  return null;
end $$;

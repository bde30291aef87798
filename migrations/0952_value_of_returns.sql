-- The report's returns by reason have the price of what came back, as its returned pieces have.
create function return_worth(return_id uuid, status text) returns bigint language sql stable as $$
  select coalesce(sum(worth_of(line.price, line.qty, line.discount, came.restocked_qty + came.spoiled_qty)), 0)
  from order_return_items came join order_returns r on r.id = came.return_id
    join order_items line on line.order_id = r.order_id and line.position = came.position
  where came.return_id = return_worth.return_id and return_worth.status = 'received'
$$;

create or replace function part_facts(order_id uuid, status text)
returns table (fact text, key text, count integer, amount bigint, net bigint, cost bigint) language sql stable as $$
  select f.* from order_items i,
    lateral item_facts(part_facts.status, i.product_id, i.price, i.qty, i.discount, i.cancelled_qty, i.returned_qty + i.spoiled_qty, i.vat_rate, i.cost_price) f
  where i.order_id = part_facts.order_id
  union all
  select 'promotion', r.promotion_id::text, 1, r.discount, 0, 0 from redemptions r
  where r.order_id = part_facts.order_id and is_sold(part_facts.status)
  union all
  select 'return', r.reason, 1, return_worth(r.id, r.status), 0, 0 from order_returns r
  where r.order_id = part_facts.order_id and r.status not in ('refused', 'withdrawn')
$$;

-- What came back is stored before the return becomes received.
create or replace function sum_returns_changed() returns trigger language plpgsql as $$
begin
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), 'return', moved.reason, sum(moved.sign), sum(moved.sign * moved.worth), 0, 0
  from (
    select order_id, reason, status, 1 as sign, return_worth(id, status) as worth from after
    union all select order_id, reason, status, -1, return_worth(id, status) from before
  ) as moved join orders on orders.id = moved.order_id
  where moved.status not in ('refused', 'withdrawn')
  group by 1, 3
  having sum(moved.sign) <> 0 or sum(moved.sign * moved.worth) <> 0;
  return null;
end $$;

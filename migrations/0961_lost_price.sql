-- What a bank has given back through lost disputes and the shop has credited: for pieces that were cancelled or came back, of an order that ended for all of it.
alter table orders add column lost_price integer not null default 0;

-- What an order comes to in the reports, in pence: its price less cancellations, refunds and lost disputes. Of a cancelled order, what staff kept.
create function revenue_of(status text, total integer, waived integer, refunded integer, lost integer, due_back integer)
returns bigint language sql immutable as $$
  select case
    when is_sold(status) then total::bigint - waived - refunded - lost
    when status = 'cancelled' then total::bigint - waived - greatest(refunded + lost, coalesce(due_back, total - waived))
    else 0
  end
$$;

-- The facts of an order itself. A cancelled order does not count, but what staff kept of it is revenue.
create or replace function order_facts(order_id uuid, status text, postal_code text, country text, total bigint, gone bigint, delivered_at timestamptz, promised date)
returns table (fact text, key text, count integer, amount bigint, net bigint, cost bigint) language sql stable as $$
  select made.fact, made.key, made.count, made.amount, 0::bigint, 0::bigint
  from (values
    ('placed', '', 1, total, true),
    ('cancelled', '', 1, total, status in ('cancelled', 'refunded')),
    ('area', postcode_area(postal_code, country), is_sold(status)::int, total - gone, is_sold(status) or gone <> total),
    ('customer', case when exists (select from first_orders f where f.order_id = order_facts.order_id) then 'new' else 'returning' end,
      is_sold(status)::int, total - gone, is_sold(status) or gone <> total),
    ('delivery', case when shop_day(delivered_at) <= promised then 'on time' else 'late' end, 1, 0,
      is_sold(status) and delivered_at is not null and promised is not null)
  ) as made (fact, key, count, amount, applies)
  where made.applies and status not in ('awaiting_payment', 'expired')
$$;

create or replace function sum_orders_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), count(*), count(*) filter (where is_sold(status)),
    sum(revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back))
  from added where status not in ('awaiting_payment', 'expired') group by 1;
  insert into first_orders
  select id from added where status not in ('awaiting_payment', 'expired') and user_id is not null
    and not exists (
      select from orders o where o.user_id = added.user_id and o.order_state not in ('awaiting_payment', 'expired')
        and (o.created_at, o.id) < (added.created_at, added.id))
    and not exists (select from orders o join first_orders f on f.order_id = o.id where o.user_id = added.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(o.created_at), f.fact, f.key, sum(f.count), sum(f.amount), sum(f.net), sum(f.cost)
  from added o, lateral order_facts(o.id, o.status, o.postal_code, o.country, o.total_price,
    o.total_price - revenue_of(o.status, o.total_price, o.waived_price, o.refunded_price, o.lost_price, o.due_back), o.delivered_at, o.delivery_to) f
  group by 1, 2, 3;
  return null;
end $$;

create or replace function sum_orders_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), sum(sign), coalesce(sum(sign) filter (where is_sold(status)), 0), sum(sign * revenue)
  from (
    select created_at, status, revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back) as revenue, 1 as sign from after
    union all select created_at, status, revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back), -1 from before
  ) as moved
  where status not in ('awaiting_payment', 'expired')
  group by 1
  having sum(sign) <> 0 or coalesce(sum(sign) filter (where is_sold(status)), 0) <> 0 or sum(sign * revenue) <> 0;
  insert into first_orders
  select after.id from after join before using (id)
  where before.status in ('awaiting_payment', 'expired') and after.status not in ('awaiting_payment', 'expired') and after.user_id is not null
    and not exists (
      select from orders o where o.user_id = after.user_id and o.order_state not in ('awaiting_payment', 'expired')
        and (o.created_at, o.id) < (after.created_at, after.id))
    and not exists (select from orders o join first_orders f on f.order_id = o.id where o.user_id = after.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(o.created_at), f.fact, f.key, sum(o.sign * f.count), sum(o.sign * f.amount), sum(o.sign * f.net), sum(o.sign * f.cost)
  from (select *, 1 as sign from after union all select *, -1 from before) as o,
    lateral order_facts(o.id, o.status, o.postal_code, o.country, o.total_price,
      o.total_price - revenue_of(o.status, o.total_price, o.waived_price, o.refunded_price, o.lost_price, o.due_back), o.delivered_at, o.delivery_to) f
  group by 1, 2, 3
  having sum(o.sign * f.count) <> 0 or sum(o.sign * f.amount) <> 0;
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
    insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
    select shop_day(moved.created_at), f.fact, f.key, sum(moved.sign * f.count), sum(moved.sign * f.amount), sum(moved.sign * f.net), sum(moved.sign * f.cost)
    from (
      select id, created_at, status, 1 as sign from after union all select id, created_at, status, -1 from before
    ) as moved, lateral part_facts(moved.id, moved.status) f
    group by 1, 2, 3
    having sum(moved.sign * f.count) <> 0 or sum(moved.sign * f.amount) <> 0;
  end if;
  return null;
end $$;

-- Counts the facts of a day's orders again and notes what the sums lack: one statement, whose snapshot has the orders and the changes noted for them alike.
create or replace function recount_sales_facts(wanted date) returns void language plpgsql as $$
declare
  day_start timestamptz := wanted::timestamp at time zone 'Europe/London';
  day_end timestamptz := (wanted + 1)::timestamp at time zone 'Europe/London';
begin
  insert into first_orders
  select o.id from orders o
  where o.created_at >= day_start and o.created_at < day_end and o.order_state not in ('awaiting_payment', 'expired') and o.user_id is not null
    and not exists (
      select from orders other where other.user_id = o.user_id and other.order_state not in ('awaiting_payment', 'expired')
        and (other.created_at, other.id) < (o.created_at, o.id))
    and not exists (select from orders other join first_orders f on f.order_id = other.id where other.user_id = o.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select wanted, fact, key, sum(count), sum(amount), sum(net), sum(cost)
  from (
    select f.* from orders o,
      lateral (
        select * from order_facts(o.id, o.status, o.postal_code, o.country, o.total_price,
          o.total_price - revenue_of(o.status, o.total_price, o.waived_price, o.refunded_price, o.lost_price, o.due_back), o.delivered_at, o.delivery_to)
        union all select * from part_facts(o.id, o.status)
      ) f
    where o.created_at >= day_start and o.created_at < day_end
    union all select fact, key, -count, -amount, -net, -cost from sales_facts where day = wanted
    union all select fact, key, -count, -amount, -net, -cost from sales_fact_changes where day = wanted
  ) as counted
  group by 2, 3
  having sum(count) <> 0 or sum(amount) <> 0 or sum(net) <> 0 or sum(cost) <> 0;
end $$;

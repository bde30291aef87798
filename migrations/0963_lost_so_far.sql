-- What lost disputes were credited for before it was stored, as src/server/invoices/lost-disputes.service.ts counts it.
update orders set lost_price = least(lost.amount, case when order_state in ('cancelled', 'returned')
  then greatest(0, total_price - waived_price - refunded.amount)
  else greatest(0, gone.price - least(gone.settled, refunded.amount + greatest(0, waived_price - delivery_off))) end)
from (select order_id, sum(amount)::int as amount from order_disputes where status = 'lost' group by 1) lost,
  lateral (select coalesce(sum(amount), 0)::int as amount from order_refunds where order_id = lost.order_id and status = 'done') refunded,
  lateral (select coalesce(sum(worth_of(price, qty, discount, pieces)), 0)::int as price,
      coalesce(sum(worth_of(price, qty, discount, least(refunded_qty, pieces))
        + greatest(0, partial_refund - (price * qty - discount) + worth_of(price, qty, discount, greatest(refunded_qty, pieces)))), 0)::int as settled
    from order_items, lateral (select cancelled_qty + returned_qty + spoiled_qty as pieces) counted
    where order_id = lost.order_id and pieces > 0) gone
where orders.id = lost.order_id and lost_price = 0;

-- The sums so far lack what staff kept of cancelled orders. One statement, whose snapshot has the orders and the changes noted for them alike.
with days as (
  select distinct shop_day(created_at) as day from orders where status = 'cancelled' and total_price - waived_price > coalesce(due_back, total_price)
), counted as (
  select shop_day(created_at) as day, sum(revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back)) as revenue
  from orders where status not in ('awaiting_payment', 'expired') and shop_day(created_at) in (select day from days) group by 1
), summed as (
  select day, sum(revenue) as revenue
  from (select day, revenue from sales_days union all select day, revenue from sales_changes where product_id is null) as sums
  where day in (select day from days) group by 1
), recounted as (
  insert into sales_recounts select day from days on conflict do nothing
)
insert into sales_changes (day, revenue)
select day, counted.revenue - coalesce(summed.revenue, 0) from counted left join summed using (day)
where counted.revenue <> coalesce(summed.revenue, 0);

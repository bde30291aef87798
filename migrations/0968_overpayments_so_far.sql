-- What came in above the sum due was a refund by hand of the order's own payment. As far as it is not paid back, it becomes an overpayment.
with moved as (
  delete from order_refunds using orders
  where orders.id = order_id and reason = 'More was paid than was due' and order_refunds.status = 'pending' and is_by_hand
  returning order_refunds.id, order_id, amount, actor, coalesce(paid_at, order_refunds.created_at) as received_at,
    coalesce(received_by, case when payment_method = 'Cash on Delivery' then 'cash' else 'transfer' end) as received_by
), overpaid as (
  insert into overpayments (id, order_id, received_at, amount, received_by, actor, is_with_payment)
  select id, order_id, received_at, amount, received_by, actor, true from moved
), boxed as (
  -- The cash box has it as a part of the order's own receipt.
  insert into cash_receipts (order_id, received_at, amount)
  select order_id, received_at, -amount from moved where received_by = 'cash'
)
-- What a cancelled order has to give back leaves it out as well.
update orders set waived_price = waived_price + sum.amount, refunded_price = refunded_price - sum.amount, due_back = due_back - sum.amount
from (select order_id, sum(amount)::int as amount from moved group by 1) sum where orders.id = sum.order_id;

-- What drivers were to collect for orders whose cash is not recorded: the shares of their parcels or, without any, the price of what was not cancelled.
update orders set to_collect = greatest(0, total_price - waived_price, collected.amount - written_off)
from (
  select o.id, coalesce(
    (select sum(amount_due) from parcels where order_id = o.id and status = 'sent' having bool_and(amount_due is not null)),
    o.total_price - o.delivery_off - (select coalesce(sum(worth_of(price, qty, discount, cancelled_qty)), 0) from order_items where order_id = o.id)
  )::int as amount
  from orders o
  where o.order_state in ('delivered', 'return_asked', 'return_approved', 'returned') and o.paid_at is null and o.payment_method = 'Cash on Delivery'
    -- Nobody asks a driver about a parcel of long ago that came back.
    and (o.total_price > o.waived_price or o.delivered_at > now() - interval '60 days')
) collected
where orders.id = collected.id;

-- What is owed for what left before it was stored: refunds that failed, pieces that waited for a dispute, and what lost disputes were counted for; at most the price
-- of what left, less what was refunded or kept of it. Of a cancelled order, what it had to give back. Refunds of before count as paid for what left.
with gone as (
  select order_id, sum(worth_of(price, qty, discount, pieces))::int as price,
    sum(case when refunded_qty < pieces then worth_of(price, qty, discount, pieces) - worth_of(price, qty, discount, refunded_qty) else 0 end)::int as waiting,
    sum(case when refunded_qty < pieces
      then least(partial_refund, worth_of(price, qty, discount, pieces) - worth_of(price, qty, discount, refunded_qty)) else 0 end)::int as paid_in_part
  from order_items, lateral (select cancelled_qty + returned_qty + spoiled_qty as pieces) counted where pieces > 0 group by order_id
), paid as (
  select o.id, order_state, total_price - waived_price as payment, refunded_price as refunded, o.due_back, lost_price, kept_price,
    coalesce(gone.price - gone.paid_in_part, 0) - waived_price + delivery_off + written_off - write_off_counted as price,
    coalesce(gone.waiting - gone.paid_in_part, 0) as waiting,
    (select coalesce(sum(amount), 0)::int from order_refunds where order_id = o.id and status <> 'failed' and reason in ('Cancelled', 'Returned', 'Order corrected')) as given,
    (select coalesce(sum(amount), 0)::int from order_refunds where order_id = o.id and status = 'failed'
      and reason in ('Cancelled', 'Returned', 'Order corrected', 'Made at the payment provider', 'The bank gave the payment back')) as failed
  from orders o left join gone on gone.order_id = o.id
  where paid_at is not null and (lost_price > 0 or gone.waiting > 0 or due_back > refunded_price
    or exists (select from order_refunds where order_id = o.id and status = 'failed'))
), claims as (
  select id, order_state, payment, refunded, due_back, greatest(0, least(payment - refunded, case
    when due_back is not null then due_back - refunded
    when order_state in ('cancelled', 'returned') then least(payment - refunded - kept_price, failed + waiting + lost_price)
    else least(failed + waiting + lost_price, price - given - kept_price) end)) as claim,
    (select coalesce(sum(amount), 0)::int from order_disputes where order_id = paid.id and status = 'lost') as lost
  from paid
)
update orders set entitled_price = claims.refunded + claim,
  lost_price = least(lost, case when claims.order_state in ('cancelled', 'returned') then payment - claims.refunded else claim end),
  kept_price = case when claims.due_back is null then kept_price else greatest(0, payment - claims.due_back) end
from claims where orders.id = claims.id;

-- The others are goodwill, which is owed by the refund itself, as is that of a payment that became no order.
update order_refunds set goodwill = amount from orders
where orders.id = order_id and order_refunds.status = 'failed' and (order_state = 'refunded' or order_state <> 'cancelled'
  and reason not in ('Cancelled', 'Returned', 'Order corrected', 'Made at the payment provider', 'The bank gave the payment back'));

-- Pieces that left are settled: what is owed for them is in the order.
update order_items set refunded_qty = cancelled_qty + returned_qty + spoiled_qty, partial_refund = greatest(0, partial_refund
  - worth_of(price, qty, discount, cancelled_qty + returned_qty + spoiled_qty) + worth_of(price, qty, discount, refunded_qty))
where cancelled_qty + returned_qty + spoiled_qty > refunded_qty;

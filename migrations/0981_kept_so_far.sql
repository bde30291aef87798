-- What staff kept before it was stored: the price of settled pieces that left, less what was refunded, waived or lost for it.
update orders set kept_price = gone.settled - paid.back
from (select order_id, sum(worth_of(price, qty, discount, least(refunded_qty, pieces))
      + greatest(0, partial_refund - (price * qty - discount) + worth_of(price, qty, discount, greatest(refunded_qty, pieces))))::int as settled
    from order_items, lateral (select cancelled_qty + returned_qty + spoiled_qty as pieces) counted where pieces > 0 group by order_id) gone,
  lateral (select refunded_price + greatest(0, waived_price - delivery_off) + lost_price
      + (select coalesce(sum(amount), 0)::int from order_refunds where order_id = gone.order_id and status = 'failed') as back
    from orders where id = gone.order_id) paid
where orders.id = gone.order_id and order_state not in ('cancelled', 'returned') and kept_price = 0 and gone.settled > paid.back;

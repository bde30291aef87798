-- Pieces that left an order before lost disputes were counted for them: refunds and the bank have paid for them, so they are settled.
update order_items set refunded_qty = least(qty, greatest(refunded_qty, cancelled_qty + returned_qty + spoiled_qty)), partial_refund = 0
from orders, lateral (select sum(worth_of(price, qty, discount, cancelled_qty + returned_qty + spoiled_qty)) as price
  from order_items where order_id = orders.id and cancelled_qty + returned_qty + spoiled_qty > 0) gone
where order_items.order_id = orders.id and orders.lost_price > 0
  and order_items.cancelled_qty + order_items.returned_qty + order_items.spoiled_qty > order_items.refunded_qty
  and gone.price <= orders.refunded_price + orders.waived_price + orders.lost_price;

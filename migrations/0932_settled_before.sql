-- Pieces that left an order without a dispute owe nothing: an unpaid order lost their price, and staff decided on that of a return.
update order_items set refunded_qty = cancelled_qty + returned_qty + spoiled_qty
where cancelled_qty + returned_qty + spoiled_qty > refunded_qty
  and not exists (select from order_disputes where order_disputes.order_id = order_items.order_id);

-- Pieces that were cancelled before the invoice were never paid for, so they count as settled. Versions until migration 0923 did not count them, only what they
-- refunded later.
update order_items item set refunded_qty = least(item.qty, refunded_qty + left_out_qty)
from invoices invoice, kysely_migration before
where left_out_qty > 0 and invoice.order_id = item.order_id and invoice.kind = 'invoice' and invoice.part = 0
  and before.name = '0923_refund_days' and invoice.issued_at < before.timestamp::timestamptz;
-- Of an order that is not paid, all that came off is settled, and nothing else.
update order_items item set refunded_qty = cancelled_qty + returned_qty + spoiled_qty
from orders
where orders.id = item.order_id and orders.paid_at is null and refunded_qty < cancelled_qty + returned_qty + spoiled_qty;

-- Before, all that was left of a payment was owed after a dispute had held it back.
update orders set due_back = total_price - waived_price
where order_state = 'cancelled' and paid_at is not null and total_price - waived_price > refunded_price
  and exists (select from order_disputes where order_disputes.order_id = orders.id);

-- Refunds from before count for the day on which they were asked for, as their books said.
update order_refunds set done_at = created_at where status = 'done' and done_at is null;

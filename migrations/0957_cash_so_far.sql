-- What was recorded before, also by the previous version beside this migration: its trigger may have noted some of them already.
insert into cash_receipts (order_id, received_at, amount)
select id, paid_at, total_price - waived_price from orders
where paid_at is not null and provider_payment_id is null and payment_method = 'Cash on Delivery'
  and not exists (select from cash_receipts where order_id = orders.id);

-- Cash that was used for an order's price before is in the box by its own record (`overpayments`).
create or replace function note_cash() returns trigger language plpgsql as $$
begin
  if new.paid_at is null then
    insert into cash_receipts (order_id, amount)
    select new.id, -sum(amount) from cash_receipts where order_id = new.id having sum(amount) <> 0;
  elsif coalesce(new.received_by = 'cash', new.payment_method = 'Cash on Delivery') then
    insert into cash_receipts (order_id, received_at, amount)
    values (new.id, new.paid_at, new.total_price - new.waived_price
      - (select coalesce(sum(amount), 0) from overpayments where order_id = new.id and status = 'used'));
  end if;
  return null;
end $$;

-- How staff recorded that an order was paid: `cash` or `transfer`. Null for orders from before, of which cash on delivery came in cash.
alter table orders add column received_by text;

-- What the cash box took: a row for each order that was recorded as paid in cash, with a negative one where that was taken back. Rows never change, so a
-- correction on another day leaves the days before as they were.
create table cash_receipts (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id) on delete cascade,
  received_at timestamptz not null default now(),
  -- Pence.
  amount integer not null
);
create index cash_receipts_of_order on cash_receipts (order_id);
create index cash_receipts_by_time on cash_receipts (received_at);

create function note_cash() returns trigger language plpgsql as $$
begin
  if new.paid_at is null then
    insert into cash_receipts (order_id, amount)
    select new.id, -sum(amount) from cash_receipts where order_id = new.id having sum(amount) <> 0;
  elsif coalesce(new.received_by = 'cash', new.payment_method = 'Cash on Delivery') then
    insert into cash_receipts (order_id, received_at, amount) values (new.id, new.paid_at, new.total_price - new.waived_price);
  end if;
  return null;
end $$;

create trigger orders_cash_new after insert on orders for each row
  when (new.paid_at is not null and new.provider_payment_id is null) execute function note_cash();
create trigger orders_cash after update of paid_at on orders for each row
  when ((old.paid_at is null) <> (new.paid_at is null) and new.provider_payment_id is null) execute function note_cash();

-- no transaction
drop index concurrently if exists orders_unpaid_at;
create index concurrently orders_unpaid_at on orders (place_key(line1, line2, postal_code))
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null and delivered_at is null
    and payment_method <> 'Credit Card';
drop index concurrently if exists orders_open_cash_at;

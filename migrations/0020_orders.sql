create index orders_search on orders using gin ((lower(user_name || ' ' || user_email || ' ' || full_name || ' ' || email)) gin_trgm_ops)
  where status in ('placed', 'refunded');
create index orders_undelivered on orders (created_at desc, id desc) where status = 'placed' and delivered_at is null;
create index orders_unpaid on orders (created_at desc, id desc) where status = 'placed' and paid_at is null;
create index orders_by_total on orders (total_price desc, id desc) where status in ('placed', 'refunded');

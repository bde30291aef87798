-- no transaction
-- The back office finds orders by phone number and postcode, whichever way they were typed, and by tracking number.
drop index concurrently if exists orders_by_phone;
create index concurrently orders_by_phone on orders (right(regexp_replace(phone, '\D', '', 'g'), 10), created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists orders_by_postcode;
create index concurrently orders_by_postcode on orders (upper(regexp_replace(postal_code, '\W', '', 'g')), created_at desc, id desc)
  where order_state not in ('awaiting_payment', 'expired');
drop index concurrently if exists parcels_tracking;
create index concurrently parcels_tracking on parcels (upper(regexp_replace(tracking_number, '\W', '', 'g'))) where tracking_number <> '';
-- What waits for staff on `/admin/today`.
drop index concurrently if exists jobs_failed;
create index concurrently jobs_failed on jobs (id) where taken_by is null and attempts >= max_attempts;
drop index concurrently if exists products_low;
create index concurrently products_low on products (id) where deleted_at is null and count_in_stock <= coalesce(low_stock, 5);
drop index concurrently if exists products_own_low_stock;
create index concurrently products_own_low_stock on products (id) where low_stock is not null and deleted_at is null;
drop index concurrently if exists product_sizes_low;
create index concurrently product_sizes_low on product_sizes (product_id) where quantity <= 5;

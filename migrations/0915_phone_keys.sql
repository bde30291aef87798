-- no transaction
drop index concurrently if exists orders_phone_keys;
create index concurrently orders_phone_keys on orders (idempotency_key) where idempotency_key like 'phone %';

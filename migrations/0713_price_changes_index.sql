-- no transaction
-- For the clock that begins and ends sales.
drop index concurrently if exists products_price_changes;
create index concurrently products_price_changes on products (price_changes_at) where price_changes_at is not null;

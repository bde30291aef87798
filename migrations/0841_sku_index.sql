-- no transaction
-- The office finds products by the shop's own number.
drop index concurrently if exists products_sku;
create index concurrently products_sku on products (upper(sku)) where sku <> '';

-- no transaction
-- The office finds products by the shop's own number.
create index concurrently if not exists products_sku on products (upper(sku)) where sku <> '';

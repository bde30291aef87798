-- no transaction
create index concurrently if not exists product_sizes_sku on product_sizes (upper(sku)) where sku <> '';

-- no transaction
drop index concurrently if exists product_sizes_sku;
create index concurrently product_sizes_sku on product_sizes (upper(sku)) where sku <> '';

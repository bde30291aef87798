-- no transaction
-- What is low by the shop's own level, which is a setting, and no longer always 5. Those with a level of their own are few.
drop index concurrently if exists products_by_count;
create index concurrently products_by_count on products (count_in_stock) where low_stock is null;
drop index concurrently if exists products_with_low_stock;
create index concurrently products_with_low_stock on products (id) where low_stock is not null;
drop index concurrently if exists product_sizes_by_quantity;
create index concurrently product_sizes_by_quantity on product_sizes (quantity);
drop index concurrently if exists products_low;
drop index concurrently if exists products_own_low_stock;
drop index concurrently if exists product_sizes_low;

-- no transaction
-- For lists within a range of prices that are sorted by price: the sizes with a price of their own, and the few products whose price is not their lowest.
drop index concurrently if exists product_sizes_price;
create index concurrently product_sizes_price on product_sizes (price) include (product_id) where price > 0;
drop index concurrently if exists products_price_above;
create index concurrently products_price_above on products (price) where deleted_at is null and price > from_price;

-- no transaction
-- From the lowest to the highest price of a product, in one index instead of one for each: a range of prices reads the products that it finds, and not half
-- of the catalogue on either side.
drop index concurrently if exists products_prices;
create index concurrently products_prices on products using spgist (int8range(from_price, greatest(from_price, to_price), '[]'));
drop index concurrently if exists products_to_price;
analyze products;

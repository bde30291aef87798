-- The price of a product's most expensive size, kept like that of its cheapest (0520): a range of prices excludes a product whose sizes all cost more or
-- less. The largest integer until 0974 has filled it, so that no range excludes such a product.
alter table products add column to_price integer not null default 2147483647;

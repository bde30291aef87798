-- How many can sit on a product, "1" to "9" or "corner", derived from the names of its sizes (decision 18): of each size, and of all of them for the
-- list's filter.
alter table products add column seats text[] not null default '{}';
alter table product_dimensions add column seats text;

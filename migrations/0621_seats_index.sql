-- no transaction
drop index concurrently if exists products_seats;
create index concurrently products_seats on products using gin (seats) where deleted_at is null;
drop index concurrently if exists product_dimensions_seats;
create index concurrently product_dimensions_seats on product_dimensions (seats) include (product_id, width, depth, height) where seats is not null;

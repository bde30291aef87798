-- no transaction
drop index concurrently if exists products_narrowest;
create index concurrently products_narrowest on products (least_width, id) where deleted_at is null;
drop index concurrently if exists products_widest;
create index concurrently products_widest on products (most_width desc, id desc) where deleted_at is null;
drop index concurrently if exists products_lowest;
create index concurrently products_lowest on products (least_height, id) where deleted_at is null;
drop index concurrently if exists products_tallest;
create index concurrently products_tallest on products (most_height desc, id desc) where deleted_at is null;
drop index concurrently if exists product_dimensions_seat_height;
create index concurrently product_dimensions_seat_height on product_dimensions (seat_height) include (product_id);

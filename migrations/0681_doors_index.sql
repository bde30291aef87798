-- no transaction
drop index concurrently if exists product_dimensions_door;
create index concurrently product_dimensions_door on product_dimensions (door) include (product_id);

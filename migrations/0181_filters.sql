-- For the filters by what is derived: several materials and colours a product, so an inverted index of each.
create index products_materials on products using gin (materials) where deleted_at is null;
create index products_colours on products using gin (colour_families) where deleted_at is null;
create index products_fit on products (fit_key, in_stock, price) where deleted_at is null;
create index product_dimensions_width on product_dimensions (width) include (product_id, depth, height);
create index product_dimensions_depth on product_dimensions (depth) include (product_id, width, height);
create index product_dimensions_height on product_dimensions (height) include (product_id, width, depth);

-- A fiftieth of the catalogue, by the random end of its keys, with all that filters compare: counts of long lists are estimated from it.
create index products_sample on products (id)
  include (category, category_key, sub_category, sub_category_key, brand, brand_key, fit, fit_key, colour_families, materials, rating, in_stock, is_new_arrival, price)
  where deleted_at is null and get_byte(uuid_send(id), 15) < 5;

-- A search or filter that leaves much of a large catalogue is begun along the index of its sort, not sorted as a whole. This is the order of
-- products that match a search alike.
create index products_relevance on products (in_stock desc, rating desc, is_recommend desc, created_at desc, id desc) where deleted_at is null;

-- Which products match at a higher level than most of a long search: names, names with categories and rooms, and these with what is derived.
-- Within one column no weight has to be looked up in the row.
create index products_search_levels on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}')) where deleted_at is null;

-- A sample that is read for every long list, and so stays in memory: one product of 256, by the random end of its key, with all that filters
-- compare. Those of `products_sample` are five times as many: counts of many values need them, the length of a list does not.
create index products_few on products (id)
  include (category_key, sub_category_key, brand_key, fit_key, colour_families, materials, rating, in_stock, is_new_arrival, price)
  where deleted_at is null and get_byte(uuid_send(id), 15) = 0;

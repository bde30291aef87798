-- no transaction
-- The indexes by offers (0520) in place of those by the product's own price and stock, which the version before does without while it runs beside
-- this one. Its columns `in_stock` and `scarcity` go with a later version.
drop index concurrently if exists products_by_best;
create index concurrently products_by_best on products (is_recommend desc, created_at desc, id desc) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_best;
drop index concurrently if exists products_by_price;
create index concurrently products_by_price on products (from_price, id) include (is_available)
  where deleted_at is null;
drop index concurrently if exists products_price;
drop index concurrently if exists products_by_rating;
create index concurrently products_by_rating on products (rating desc, id desc) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_rating;
drop index concurrently if exists products_by_newest;
create index concurrently products_by_newest on products (created_at desc, id desc) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_newest;
drop index concurrently if exists products_by_name;
create index concurrently products_by_name on products (name, id) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_name;
drop index concurrently if exists products_by_relevance;
create index concurrently products_by_relevance on products (is_available desc, rating desc, is_recommend desc, created_at desc, id desc)
  where deleted_at is null;
drop index concurrently if exists products_relevance;
drop index concurrently if exists products_by_stock;
create index concurrently products_by_stock on products (stock_level, id)
  where deleted_at is null;
drop index concurrently if exists products_scarcity;
drop index concurrently if exists products_of_category_by_best;
create index concurrently products_of_category_by_best on products (category_key, is_recommend desc, created_at desc, id desc) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_category_best;
drop index concurrently if exists products_of_category_by_price;
create index concurrently products_of_category_by_price on products (category_key, from_price, id) include (is_available)
  where deleted_at is null;
drop index concurrently if exists products_category_price;
drop index concurrently if exists products_of_category_by_rating;
create index concurrently products_of_category_by_rating on products (category_key, rating desc, id desc) include (from_price, is_available)
  where deleted_at is null;
drop index concurrently if exists products_category_rating;
drop index concurrently if exists products_of_brand;
create index concurrently products_of_brand on products (brand_key, category_key, sub_category_key, is_available, from_price)
  where deleted_at is null;
drop index concurrently if exists products_brand;
drop index concurrently if exists products_of_kind;
create index concurrently products_of_kind on products (category_key, sub_category_key, is_available, from_price)
  where deleted_at is null;
drop index concurrently if exists products_kind;
drop index concurrently if exists products_of_fit;
create index concurrently products_of_fit on products (fit_key, is_available, from_price)
  where deleted_at is null;
drop index concurrently if exists products_fit;
drop index concurrently if exists products_sampled_few;
create index concurrently products_sampled_few on products (id) include (category_key, sub_category_key, brand_key, fit_key, colour_families, materials, rating, is_available, is_new_arrival, from_price)
  where deleted_at is null and get_byte(uuid_send(id), 15) = 0;
drop index concurrently if exists products_few;
drop index concurrently if exists products_sampled_many;
create index concurrently products_sampled_many on products (id) include (category, category_key, sub_category, sub_category_key, brand, brand_key, fit, fit_key, colour_families, materials, rating, is_available, is_new_arrival, from_price)
  where deleted_at is null and get_byte(uuid_send(id), 15) < 5;
drop index concurrently if exists products_sample;
drop index concurrently if exists products_all_words;
create index concurrently products_all_words on products using gin (search, price_steps(from_price))
  where deleted_at is null;
drop index concurrently if exists products_words;
drop index concurrently if exists products_all_words_few;
create index concurrently products_all_words_few on products using gin (search, price_steps(from_price))
  where deleted_at is null and get_byte(uuid_send(id), 14) = 0;
drop index concurrently if exists products_words_few;
drop index concurrently if exists products_all_words_many;
create index concurrently products_all_words_many on products using gin (search, price_steps(from_price))
  where deleted_at is null and get_byte(uuid_send(id), 14) < 5;
drop index concurrently if exists products_words_sample;
drop index concurrently if exists products_labels;
create index concurrently products_labels on products using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'), priced_words(search, from_price))
  where deleted_at is null;
drop index concurrently if exists products_label_words;
analyze products;

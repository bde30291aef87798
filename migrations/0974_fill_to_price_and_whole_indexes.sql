-- no transaction
-- The highest prices (0972) of the products that are there, a sixteenth at a time, so that a sale waits for some seconds at most.
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 0;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 1;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 2;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 3;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 4;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 5;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 6;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 7;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 8;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 9;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 10;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 11;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 12;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 13;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 14;
update products p set to_price = coalesce((select max(coalesce(nullif(s.price, 0), p.price)) from product_sizes s where s.product_id = p.id), p.price)
  where to_price = 2147483647 and get_byte(uuid_send(p.id), 15) >> 4 = 15;
-- Indexes of all products, and not only of those in the shop. PostgreSQL combines two indexes (BitmapAnd) only if they do not have the same condition,
-- and uses the statistics of an indexed expression only if the index has none.
drop index concurrently if exists products_with_words;
create index concurrently products_with_words on products using gin (search);
drop index concurrently if exists products_by_words;
drop index concurrently if exists products_with_labels;
create index concurrently products_with_labels on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'));
drop index concurrently if exists products_by_labels;
drop index concurrently if exists products_to_price;
create index concurrently products_to_price on products (to_price);
analyze products;

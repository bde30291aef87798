-- no transaction
-- The samples of a search are other products than those of filters alone (the last byte but one of their ids says which): where both were the same,
-- PostgreSQL would often read the index of the filters, and the words of each of its products. They hold the ranges of prices as well.
drop index concurrently if exists products_words_few;
create index concurrently products_words_few on products using gin (search, price_steps(price))
  where deleted_at is null and get_byte(uuid_send(id), 14) = 0;
drop index concurrently if exists products_words_sample;
create index concurrently products_words_sample on products using gin (search, price_steps(price))
  where deleted_at is null and get_byte(uuid_send(id), 14) < 5;
drop index concurrently if exists products_search_few;
drop index concurrently if exists products_search_sample;

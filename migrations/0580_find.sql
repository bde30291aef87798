-- no transaction
-- The words of products without the steps of prices, and without samples: a list ends after a thousand products now, and is not estimated. The version
-- before searches by these as well while it runs beside this one; the functions of the steps go with a later version.
drop index concurrently if exists products_by_words;
create index concurrently products_by_words on products using gin (search) where deleted_at is null;
drop index concurrently if exists products_all_words;
drop index concurrently if exists products_all_words_few;
drop index concurrently if exists products_all_words_many;
drop index concurrently if exists products_by_labels;
create index concurrently products_by_labels on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}')) where deleted_at is null;
drop index concurrently if exists products_labels;
drop index concurrently if exists products_sampled_few;
drop index concurrently if exists products_sampled_many;
analyze products;

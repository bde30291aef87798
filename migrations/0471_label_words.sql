-- no transaction
-- The words of labels with their weights, and with prices (0470). The version before searches by the index of all words while it runs beside this one.
drop index concurrently if exists products_label_words;
create index concurrently products_label_words on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'), priced_words(search, price)) where deleted_at is null;
drop index concurrently if exists products_word_levels;

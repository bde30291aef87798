-- The ranges of about £655, £82 and £10 that hold a price, numbered from 0, from 1,000 and from 10,000 (all that is dearer than £20,971 is in the
-- last ones). With the words of a search in one index they tell which of its products are in a range of prices, without reading those that are
-- not: `catalogue/price-steps.ts`.
create function price_steps(price integer) returns integer[] language sql immutable parallel safe
  return array[
    least(price, 2097152) >> 16,
    1000 + (least(price, 2097152) >> 13),
    10000 + (least(price, 2097152) >> 10)
  ];

-- Takes some minutes for a million products, during which they can be read but not changed.
create index products_words on products using gin (search, price_steps(price)) where deleted_at is null;
drop index products_search;
create index products_word_levels on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'), price_steps(price)) where deleted_at is null;
drop index products_search_levels;

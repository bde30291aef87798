-- The words of a product's labels, each with the step of prices that the product is in: 'sofa~139'. They tell which products of a word cost so
-- much, where a search is sorted by price or kept within a range of prices: `search/priced.ts`. The ranges that stood in this index before named
-- all products that cost so much, of which most have other words.

-- The steps of prices, in pence: eight from each power of two to the next, so that a step is six to twelve per cent wide, and all that is
-- dearer than £41,943 in the last.
create function price_step(price integer) returns integer language sql immutable parallel safe
  return (select bits * 8 + (capped >> greatest(bits - 4, 0))
    from (select least(price, 4194304) as capped) as p, lateral (select length(ltrim(capped::bit(32)::text, '0')) as bits) as counted);

-- Dear, and not for several processes, as PostgreSQL counts: it takes each word at a price for far more frequent than it is, and would start
-- other processes for the few rows that the index names.
create function priced_words(search tsvector, price integer) returns text[] language sql immutable parallel restricted cost 1000
  return (select array_agg(word || step)
    from (select '~' || price_step(price) as step offset 0) as once, unnest(tsvector_to_array(ts_filter(search, '{a,b,c}'))) as word);

-- Some words, in any ending, at all prices from one to another.
create function priced_between(words text[], min_price integer, max_price integer) returns text[] language sql immutable parallel safe
  return (select array_agg(form || '~' || step)
    from (select unnest(words) as form union select (ts_lexize('english_stem', word))[1] from unnest(words) as word) as forms,
      generate_series(price_step(min_price), price_step(max_price)) as step
    where form is not null);

-- Takes some minutes for a million products, during which they can be read but not changed.
create index products_label_words on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'), priced_words(search, price)) where deleted_at is null;
drop index products_word_levels;

-- The words of a product's labels, each with the step of prices that the product is in: 'sofa~555'. They tell which products of a word cost so
-- much, where a search is sorted by price or kept within a range of prices: `search/priced.ts`. The ranges that stood in this index before named
-- all products that cost so much, of which most have other words.

-- The steps of prices, in pence: 32 from each power of two to the next, so that a step is 1.5 to 3 per cent wide; all up to £1.28 is in the
-- first, and all that is dearer than £41,943 in the last.
create function price_step(price integer) returns integer language sql immutable parallel safe
  return (select bits * 32 + (capped >> (bits - 6))
    from (select greatest(least(price, 4194304), 128) as capped) as p, lateral (select length(ltrim(capped::bit(32)::text, '0')) as bits) as counted);

-- Dear, as PostgreSQL counts: it is read from the index, never computed for each of many rows.
create function priced_words(search tsvector, price integer) returns text[] language sql immutable parallel safe cost 1000
  return (select array_agg(word || step)
    from (select '~' || price_step(price) as step offset 0) as once, unnest(tsvector_to_array(ts_filter(search, '{a,b,c}'))) as word);

-- Some words as they stand and as they are stemmed.
create function word_forms(words text[]) returns text[] language sql immutable parallel safe
  return (select array_agg(form)
    from (select unnest(words) as form union select (ts_lexize('english_stem', word))[1] from unnest(words) as word) as forms
    where form is not null);

create function words_at(forms text[], step integer) returns text[] language sql immutable parallel safe
  return (select array_agg(form || '~' || step) from unnest(forms) as form);

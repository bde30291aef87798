-- The words of a text, each stemmed and as written, so that a product is found by the beginning of any word: "dining" is stemmed to "dine",
-- which "dini" would not find. Fields are split as searches are: at everything that is neither a letter nor a digit.
create function searchable(field text, weight "char") returns tsvector language sql immutable parallel safe
  return (select setweight(to_tsvector('english', words), weight) || setweight(to_tsvector('simple', words), weight)
    from (select regexp_replace(folded(field), '[^[:alnum:]]+', ' ', 'g') as words offset 0) as once);

-- A word, and the word without each one of its letters: two words that are one typing error apart share one of these.
create function spellings(word text) returns text[] language sql immutable parallel safe
  return (select array_agg(distinct overlay(word placing '' from place for 1)) || word from generate_series(1, length(word)) as place);

-- Words as written and stemmed.
create function word_forms(words text[]) returns text[] language sql immutable parallel safe
  return (select array_agg(form)
    from (select unnest(words) as form union select (ts_lexize('english_stem', word))[1] from unnest(words) as word) as forms
    where form is not null);

-- One of two queries. Equal ones are not repeated, or PostgreSQL would plan for twice as many products. Compared as texts, since “=” treats a word
-- and its beginning as equal.
create function either(one tsquery, other tsquery) returns tsquery language sql immutable strict parallel safe
  return case when one::text = other::text then one else one || other end;

-- The steps of prices, in pence: 32 from each power of two to the next, so that a step is 1.5 to 3 per cent wide; all up to £1.28 is in the
-- first, and all that is dearer than £41,943 in the last.
create function price_step(price integer) returns integer language sql immutable parallel safe
  return (select bits * 32 + (capped >> (bits - 6))
    from (select greatest(least(price, 4194304), 128) as capped) as p, lateral (select length(ltrim(capped::bit(32)::text, '0')) as bits) as counted);

-- The ranges of about £655, £82 and £10 that hold a price, numbered from 0, from 1,000 and from 10,000 (all that is dearer than £20,971 is in the
-- last ones). With the words of a search in one index they tell which of its products are in a range of prices, without reading those that are
-- not: `catalogue/price-steps.ts`.
create function price_steps(price integer) returns integer[] language sql immutable parallel safe
  return array[
    least(price, 2097152) >> 16,
    1000 + (least(price, 2097152) >> 13),
    10000 + (least(price, 2097152) >> 10)
  ];

-- A high cost, so that the planner reads it from the index instead of computing it for each row.
create function priced_words(search tsvector, price integer) returns text[] language sql immutable parallel safe cost 1000
  return (select array_agg(word || step)
    from (select '~' || price_step(price) as step offset 0) as once, unnest(tsvector_to_array(ts_filter(search, '{a,b,c}'))) as word);

create function words_at(forms text[], step integer) returns text[] language sql immutable parallel safe
  return (select array_agg(form || '~' || step) from unnest(forms) as form);

-- Every word that a product uses: corrections of typing errors come from here.
create table catalogue_words (
  word text primary key,
  -- A known word is recognised by its stem or its beginning, without a look at the products that use it.
  stem text generated always as ((ts_lexize('english_stem'::regdictionary, word))[1]) stored,
  spellings text[] not null generated always as (spellings(word)) stored,
  -- Typing errors are forgiven towards labels only, and what names a kind of furniture is not looked for in descriptions.
  is_label boolean not null default false,
  is_kind boolean not null default false
);

create index catalogue_words_labels on catalogue_words using gin (spellings) where is_label;
create index catalogue_words_near on catalogue_words using gist (word gist_trgm_ops);
create index catalogue_words_spellings on catalogue_words using gin (spellings);
create index catalogue_words_start on catalogue_words (word text_pattern_ops);
create index catalogue_words_stem on catalogue_words (stem text_pattern_ops);

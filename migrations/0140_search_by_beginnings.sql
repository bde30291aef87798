-- Finds a product by the beginning of any of its words. Stems alone do not hold those: "dining" is stored as "dine", so "dini" found
-- nothing, and words such as "so" are not stored at all. Beside its stem, each word is now stored as it is written. Fields are split
-- into words as a search is: at everything that is neither a letter nor a digit.
-- The table is written anew, about a minute for a million products, during which it is locked.
create function searchable(field text, weight "char") returns tsvector language sql immutable parallel safe
  return setweight(to_tsvector('english', regexp_replace(field, '[^[:alnum:]]+', ' ', 'g')), weight)
    || setweight(to_tsvector('simple', regexp_replace(field, '[^[:alnum:]]+', ' ', 'g')), weight);

drop index products_search;
alter table products
  drop column search,
  add column search tsvector not null generated always as (
    searchable(name, 'A') || searchable(category || ' ' || sub_category, 'B') || searchable(brand, 'C') || searchable(description, 'D')
  ) stored;
create index products_search on products using gin (search) where deleted_at is null;

-- Finds every known word that is one typing error away, however short: two words that are so close share a spelling, where the
-- spellings of a word are the word itself and what is left of it without one of its letters.
create function spellings(word text) returns text[] language sql immutable parallel safe
  return (select array_agg(distinct overlay(word placing '' from place for 1)) || word from generate_series(1, length(word)) as place);
alter table catalogue_words add column spellings text[] not null generated always as (spellings(word)) stored;
create index catalogue_words_spellings on catalogue_words using gin (spellings);

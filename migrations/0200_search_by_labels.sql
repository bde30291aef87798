-- What a product is called, apart from what is told about it: a search for "sofa" means what is a sofa, not a lamp that stands beside one. Labels
-- are its name, category, subcategory, brand and room, and what the shop derives from its sizes, colours and materials (decision 21), which
-- it writes at every change and, for the products that are there, in the background.
alter table products add column label_words text not null default '';

-- As people type it: without accents, in small letters. Most texts have no accents, and are spared the search for them.
create function folded(field text) returns text language sql immutable parallel safe
  return case when octet_length(field) = char_length(field) then lower(field)
    else regexp_replace(lower(normalize(field, NFKD)), '[\u0300-\u036f]', '', 'g') end;
create or replace function searchable(field text, weight "char") returns tsvector language sql immutable parallel safe
  return (select setweight(to_tsvector('english', words), weight) || setweight(to_tsvector('simple', words), weight)
    from (select regexp_replace(folded(field), '[^[:alnum:]]+', ' ', 'g') as words offset 0) as once);

-- The weights are the order of relevance: name, category and room, what is derived and brand, and last the description, which is no label.
-- The table is written anew, about a minute for a million products, during which it is locked.
drop index products_search;
alter table products
  drop column search,
  add column search tsvector not null generated always as (
    searchable(name, 'A') || searchable(category || ' ' || sub_category || ' ' || fit, 'B') || searchable(label_words || ' ' || brand, 'C')
    || searchable(description, 'D')
  ) stored;
create index products_search on products using gin (search) where deleted_at is null;

-- Typing errors are forgiven towards labels only, and what names a kind of furniture is not looked for in descriptions.
alter table catalogue_words
  add column is_label boolean not null default false,
  add column is_kind boolean not null default false;
drop trigger products_words_inserted on products;
drop trigger products_words_updated on products;
drop function learn_words(), learn_words_again(), words_of(products);

create function words_of(product products) returns table (word text, is_label boolean, is_kind boolean) language sql immutable as $$
  select word, bool_or(is_label), bool_or(is_kind)
  from (values
    (product.category || ' ' || product.sub_category, true, true),
    (concat_ws(' ', product.name, product.fit, product.label_words, product.brand), true, false),
    (product.description, false, false)) as texts (field, is_label, is_kind),
    unnest(tsvector_to_array(to_tsvector('simple', regexp_replace(folded(field), '[^[:alnum:]]+', ' ', 'g')))) as word
  where length(word) between 3 and 40
  group by word
$$;

-- Adds what is not known yet. Rarely anything is; then transactions wait for each other here, since two that add the same words in different
-- orders would wait for each other for ever.
create function know_words(words text[], labels boolean[], kinds boolean[]) returns void language plpgsql as $$
begin
  if not exists (
    select from unnest(words, labels, kinds) as n (word, is_label, is_kind) left join catalogue_words k using (word)
    where k.word is null or n.is_label > k.is_label or n.is_kind > k.is_kind
  ) then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('catalogue words', 0));
  insert into catalogue_words as known (word, is_label, is_kind) select * from unnest(words, labels, kinds)
  on conflict (word) do update set is_label = known.is_label or excluded.is_label, is_kind = known.is_kind or excluded.is_kind
    where excluded.is_label > known.is_label or excluded.is_kind > known.is_kind;
end $$;

create function learn_words() returns trigger language plpgsql as $$
begin
  perform know_words(array_agg(word), array_agg(is_label), array_agg(is_kind)) from (
    select w.word, bool_or(w.is_label) as is_label, bool_or(w.is_kind) as is_kind
    from changed, words_of(row(changed.*)::products) as w group by w.word) as learnt;
  return null;
end $$;
create trigger products_words_inserted after insert on products referencing new table as changed for each statement execute function learn_words();

-- Words go, and are labels or kinds no more, with the last product that uses them so: a name that was once mistyped must not stand in for its
-- right spelling.
create function learn_words_again() returns trigger language plpgsql as $$
declare
  lost text[];
begin
  perform know_words(array_agg(word), array_agg(is_label), array_agg(is_kind)) from words_of(new) where new.deleted_at is null;
  select array_agg(b.word) into lost
  from words_of(old) as b left join words_of(new) as a on a.word = b.word and new.deleted_at is null
  where a.word is null or b.is_label > a.is_label or b.is_kind > a.is_kind;
  if lost is null then return null; end if;
  delete from catalogue_words k
  where k.word = any(lost) and not exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word));
  update catalogue_words k set
    is_label = exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word || ':ABC')),
    is_kind = exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word || ':B')
      and k.word in (select regexp_split_to_table(folded(p.category || ' ' || p.sub_category), '[^[:alnum:]]+')))
  where k.word = any(lost) and k.is_label;
  return null;
end $$;
create trigger products_words_updated after update of name, category, sub_category, fit, label_words, brand, description, deleted_at on products
  for each row execute function learn_words_again();

-- Words are folded from now on, so all are learnt again.
delete from catalogue_words;
insert into catalogue_words (word, is_label, is_kind)
select w.word, bool_or(w.is_label), bool_or(w.is_kind) from products p, words_of(p) as w where p.deleted_at is null group by w.word;
create index catalogue_words_labels on catalogue_words using gin (spellings) where is_label;

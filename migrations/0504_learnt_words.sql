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

create trigger products_words_inserted after insert on products referencing new table as changed for each statement execute function learn_words();
create trigger products_words_updated after update of name, category, sub_category, fit, label_words, brand, description, deleted_at on products
  for each row execute function learn_words_again();

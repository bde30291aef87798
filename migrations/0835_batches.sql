-- A transaction that writes many products says so in `shop.batch`, writes them and their sizes, and calls `finish_batch` for all of them. Triggers of
-- prices and offers rest meanwhile: planning their statements for each row took most of the time of a long price list. Whatever writes a single product
-- needs none of this. The ledger of stock is written by its triggers in any case.
create function in_batch() returns boolean language sql stable return coalesce(current_setting('shop.batch', true), '') = 'on';

create function finish_batch(ids uuid[]) returns void language plpgsql as $$
begin
  perform refresh_prices(ids);
  perform refresh_offers(ids);
  perform log_prices(ids);
  perform set_config('shop.batch', '', true);
end $$;

create or replace trigger products_sale_changed after update of regular_price, sale_price, sale_from, sale_to on products for each row
  when ((old.regular_price, old.sale_price, old.sale_from, old.sale_to) is distinct from (new.regular_price, new.sale_price, new.sale_from, new.sale_to)
    and (old.sale_since is null) = (new.sale_since is null) and not in_batch())
  execute function sale_changed();
create or replace trigger products_price_changed after update of price on products for each row
  when (old.price <> new.price and not in_batch()) execute function price_changed();
create or replace trigger products_offer_changed after update of price, count_in_stock on products for each row
  when ((old.price <> new.price or least(old.count_in_stock, 6) <> least(new.count_in_stock, 6)) and not in_batch()) execute function offer_changed();
create or replace trigger product_sizes_price_changed after update of price on product_sizes for each row
  when (old.price <> new.price and not in_batch()) execute function size_price_changed();
create or replace trigger product_sizes_offer_changed after update on product_sizes for each row
  when ((old.price <> new.price or least(old.quantity, 6) <> least(new.quantity, 6) or old.product_id <> new.product_id) and not in_batch())
  execute function size_offer_changed();
create or replace trigger product_sizes_added after insert on product_sizes referencing new table as changed
  for each statement when (not in_batch()) execute function sizes_came_or_went();
create or replace trigger product_sizes_removed after delete on product_sizes referencing old table as changed
  for each statement when (not in_batch()) execute function sizes_came_or_went();

-- Adds what is not known yet (migration 0504). Each word is looked up in the key: the index of near words finds equal ones too, but slowly, and a join of
-- all words reads the whole table.
create or replace function know_words(words text[], labels boolean[], kinds boolean[]) returns void language plpgsql as $$
begin
  if not exists (
    select from unnest(words, labels, kinds) as n (word, is_label, is_kind) left join lateral (
      select k.word, k.is_label, k.is_kind from catalogue_words k where k.word between n.word and n.word offset 0) as k on true
    where k.word is null or n.is_label > k.is_label or n.is_kind > k.is_kind
  ) then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('catalogue words', 0));
  insert into catalogue_words as known (word, is_label, is_kind) select * from unnest(words, labels, kinds)
  on conflict (word) do update set is_label = known.is_label or excluded.is_label, is_kind = known.is_kind or excluded.is_kind
    where excluded.is_label > known.is_label or excluded.is_kind > known.is_kind;
end $$;

-- Words that some product has lost go, and are labels or kinds no more, with the last product that uses them so.
create function forget_words(lost text[]) returns void language plpgsql as $$
begin
  -- As for new words: two transactions that lose the same ones would wait for each other for ever.
  perform pg_advisory_xact_lock(hashtextextended('catalogue words', 0));
  delete from catalogue_words k
  where k.word = any(lost) and not exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word));
  update catalogue_words k set
    is_label = exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word || ':ABC')),
    is_kind = exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('simple', k.word || ':B')
      and k.word in (select regexp_split_to_table(folded(p.category || ' ' || p.sub_category), '[^[:alnum:]]+')))
  where k.word = any(lost) and k.is_label;
end $$;

create or replace function learn_words_again() returns trigger language plpgsql as $$
declare
  lost text[];
begin
  perform know_words(array_agg(word), array_agg(is_label), array_agg(is_kind)) from words_of(new) where new.deleted_at is null;
  select array_agg(b.word) into lost
  from words_of(old) as b left join words_of(new) as a on a.word = b.word and new.deleted_at is null
  where a.word is null or b.is_label > a.is_label or b.is_kind > a.is_kind;
  if lost is not null then perform forget_words(lost); end if;
  return null;
end $$;
create or replace trigger products_words_updated
  after update of name, category, sub_category, fit, label_words, brand, description, deleted_at on products
  for each row when (not in_batch()) execute function learn_words_again();

-- The same for all products of a statement, so that each word is looked up once.
create function learn_words_of_batch() returns trigger language plpgsql as $$
declare
  words text[];
  labels boolean[];
  kinds boolean[];
  lost text[];
begin
  with edited as (
    select row(b.*)::products as old, row(a.*)::products as new from before b join after a using (id)
    where (b.name, b.category, b.sub_category, b.fit, b.label_words, b.brand, b.description, b.deleted_at)
      is distinct from (a.name, a.category, a.sub_category, a.fit, a.label_words, a.brand, a.description, a.deleted_at)
  ), had as (
    select (e.old).id, w.* from edited e, words_of(e.old) w
  ), has as (
    select (e.new).id, w.* from edited e, words_of(e.new) w where (e.new).deleted_at is null
  ), learnt as (
    select word, bool_or(is_label) as is_label, bool_or(is_kind) as is_kind from has group by word
  )
  select array_agg(word), array_agg(is_label), array_agg(is_kind), (
    select array_agg(distinct had.word) from had left join has using (id, word)
    where has.word is null or had.is_label > has.is_label or had.is_kind > has.is_kind)
  into words, labels, kinds, lost from learnt;
  if words is null and lost is null then return null; end if;
  perform know_words(words, labels, kinds);
  if lost is not null then perform forget_words(lost); end if;
  return null;
end $$;
create trigger products_words_of_batch after update on products referencing old table as before new table as after
  for each statement when (in_batch()) execute function learn_words_of_batch();

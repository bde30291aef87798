-- Whether there is anything to sell, apart from how much of it: an order that leaves some behind touches no index.
-- The keys are what filters compare; as columns of their own they are read from an index without the row.
alter table products
  add column in_stock boolean not null generated always as (count_in_stock > 0) stored,
  add column category_key text not null generated always as (lower(category)) stored,
  add column sub_category_key text not null generated always as (lower(sub_category)) stored,
  add column brand_key text not null generated always as (lower(brand)) stored;

drop index products_best, products_price, products_rating, products_newest, products_name;
drop index products_category_best, products_category_price, products_category_rating, products_brand, products_in_stock;

-- One index a sort, whole catalogue and within a category, with what the shop's panel filters by beside it.
create index products_best on products (is_recommend desc, created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_price on products (price, id) include (in_stock) where deleted_at is null;
create index products_rating on products (rating desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_newest on products (created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_name on products (name, id) include (price, in_stock) where deleted_at is null;
create index products_category_best on products (category_key, is_recommend desc, created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_category_price on products (category_key, price, id) include (in_stock) where deleted_at is null;
create index products_category_rating on products (category_key, rating desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_category_newest on products (category_key, created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_category_name on products (category_key, name, id) include (price, in_stock) where deleted_at is null;
-- For counting under any filter, and for finding the few under a narrow one.
create index products_brand on products (brand_key, category_key, sub_category_key, in_stock, price) where deleted_at is null;
create index products_kind on products (category_key, sub_category_key, in_stock, price) where deleted_at is null;
create index products_sub_category on products (sub_category_key, in_stock, price) where deleted_at is null;

-- Room on each page for the next version of a row, so that moving stock stays on its page.
alter table products set (fillfactor = 90);
alter table product_sizes set (fillfactor = 90);

-- Words are learnt where words change, not at every move of stock, and forgotten with the last product that uses them:
-- a name that was once mistyped must not stand in for its right spelling.
drop trigger products_words_updated on products;
create function words_of(product products) returns setof text language sql immutable as $$
  select distinct word
  from regexp_split_to_table(lower(product.name || ' ' || product.category || ' ' || product.sub_category || ' ' || product.brand || ' ' || product.description), '[^[:alnum:]]+') as word
  where length(word) between 3 and 40
$$;
create function learn_words_again() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    insert into catalogue_words (word) select words_of(new) on conflict do nothing;
  end if;
  delete from catalogue_words w
  where w.word in (select words_of(old))
    and (new.deleted_at is not null or w.word not in (select words_of(new)))
    and not exists (select from products p where p.deleted_at is null and p.search @@ to_tsquery('english', w.word));
  return null;
end $$;
create trigger products_words_updated after update of name, category, sub_category, brand, description, deleted_at on products
  for each row execute function learn_words_again();

-- A known word is recognised by its stem or its beginning, without a look at the products that use it.
alter table catalogue_words add column stem text generated always as ((ts_lexize('english_stem', word))[1]) stored;
create index catalogue_words_stem on catalogue_words (stem text_pattern_ops);
create index catalogue_words_start on catalogue_words (word text_pattern_ops);

-- What changed in the catalogue, for the caches of every process. A row is written in the transaction of its change, so a reader that asks for
-- all transactions from the oldest one still under way when it asked before misses none, in whatever order they end.
create table catalogue_changes (
  transaction xid8 not null default pg_current_xact_id(),
  -- The products whose stock moved; null when anything may have changed.
  products uuid[],
  -- Whether lists may hold other products, or the same in another order, than before.
  moves_lists boolean not null,
  at timestamptz not null default now()
);
create index catalogue_changes_transaction on catalogue_changes (transaction);
drop sequence catalogue_version;

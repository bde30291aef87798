alter table products add column search tsvector not null generated always as (
  setweight(to_tsvector('english', name), 'A')
  || setweight(to_tsvector('english', category || ' ' || sub_category), 'B')
  || setweight(to_tsvector('english', brand), 'C')
  || setweight(to_tsvector('english', description), 'D')
) stored;
create index products_search on products using gin (search) where deleted_at is null;

-- One index a sort, whole catalogue and within a category; every sort ends in the key, so that no product shows twice.
create index products_best on products (is_recommend desc, created_at desc, id desc) where deleted_at is null;
create index products_price on products (price, id) where deleted_at is null;
create index products_rating on products (rating desc, id desc) where deleted_at is null;
create index products_newest on products (created_at desc, id desc) where deleted_at is null;
create index products_name on products (name, id) where deleted_at is null;
create index products_new_arrivals on products (created_at desc, id desc) where deleted_at is null and is_new_arrival;
create index products_category_best on products (lower(category), is_recommend desc, created_at desc, id desc) where deleted_at is null;
create index products_category_price on products (lower(category), price, id) where deleted_at is null;
create index products_category_rating on products (lower(category), rating desc, id desc) where deleted_at is null;
create index products_brand on products (lower(brand)) where deleted_at is null;
create index products_in_stock on products (is_recommend desc, created_at desc, id desc) where deleted_at is null and count_in_stock > 0;
-- For the clean-up of pictures that nothing names.
create index products_images on products using gin (images);
create index order_items_image on order_items (image);

-- Every word that a product uses, so that a mistyped one finds its neighbours through an index.
create table catalogue_words (word text primary key);
create index catalogue_words_near on catalogue_words using gist (word gist_trgm_ops);

create function learn_words() returns trigger language plpgsql as $$
begin
  insert into catalogue_words (word)
  select distinct word
  from changed, regexp_split_to_table(lower(name || ' ' || category || ' ' || sub_category || ' ' || brand || ' ' || description), '[^[:alnum:]]+') as word
  where length(word) between 3 and 40
  on conflict do nothing;
  return null;
end $$;
create trigger products_words_inserted after insert on products referencing new table as changed for each statement execute function learn_words();
create trigger products_words_updated after update on products referencing new table as changed for each statement execute function learn_words();

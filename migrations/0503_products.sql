-- A trigger instead of a check: products of an early version may have no price, and their stock must still move.
create function refuse_free_product() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'products_price_at_least_one',
    message = 'the price of a product is at least 1 penny';
end $$;

create table products (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  description text not null check (length(description) <= 10000),
  fit text not null default '',
  category text not null check (length(category) between 1 and 60),
  sub_category text not null default '',
  brand text not null check (length(brand) between 1 and 60),
  price integer not null check (price >= 0),
  count_in_stock integer not null check (count_in_stock >= 0),
  images text[] not null default '{}' check (cardinality(images) <= 12),
  measurements jsonb not null default '[]',
  colors jsonb not null default '[]',
  rating real not null default 0 check (rating between 0 and 5),
  is_new_arrival boolean not null default false,
  is_recommend boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted product stays for the orders that name it.
  deleted_at timestamptz,
  -- Keys that filters compare, as columns of their own so that an index holds them.
  in_stock boolean not null generated always as (count_in_stock > 0) stored,
  category_key text not null generated always as (lower(category)) stored,
  sub_category_key text not null generated always as (lower(sub_category)) stored,
  brand_key text not null generated always as (lower(brand)) stored,
  -- What filters compare, derived from what the administrator typed (decision 18). Written by the shop
  -- with every change of a product.
  materials text[] not null default '{}',
  colour_families text[] not null default '{}',
  fit_key text not null default '',
  -- Which rules it was derived by; 0: not yet.
  attributes_version smallint not null default 0,
  -- What a product is called, apart from what is told about it: a search for "sofa" means what is a sofa, not a lamp that stands beside one. Labels
  -- are its name, category, subcategory, brand and room, and what the shop derives from its sizes, colours and materials (decision 21).
  label_words text not null default '',
  search tsvector not null generated always as (
    searchable(name, 'A') || searchable(category || ' ' || sub_category || ' ' || fit, 'B') || searchable(label_words || ' ' || brand, 'C') || searchable(description, 'D')
  ) stored,
  -- No longer read (0520).
  scarcity smallint not null generated always as (least(count_in_stock, 6)) stored,
  -- What each picture of a product shows, by its address: {"/images/…-1200.webp": {"kind": "packshot", "size": "Two-seat", "color": "#75775f"}}. What is
  -- left out holds for every size or colour, or is not known. By address, so that reordering the pictures changes nothing of it.
  shown jsonb not null default '{}' check (jsonb_typeof(shown) = 'object'),
  -- The address of a GLB that shows the product in 3D.
  model text
) with (fillfactor = 90);

create index products_attributes on products (attributes_version) where deleted_at is null;
-- One index a sort, whole catalogue and within a category, with what the shop's panel filters by beside it.
create index products_best on products (is_recommend desc, created_at desc, id desc) include (price, in_stock) where deleted_at is null;
-- For counting under any filter, and for finding the few under a narrow one.
create index products_brand on products (brand_key, category_key, sub_category_key, in_stock, price) where deleted_at is null;
create index products_category_best on products (category_key, is_recommend desc, created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_category_price on products (category_key, price, id) include (in_stock) where deleted_at is null;
create index products_category_rating on products (category_key, rating desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_colours on products using gin (colour_families) where deleted_at is null;
-- A sample that is read for every long list, and so stays in memory: one product of 256, by the random end of its key, with all that filters
-- compare. Those of `products_sample` are five times as many: counts of many values need them, the length of a list does not.
create index products_few on products (id)
  include (category_key, sub_category_key, brand_key, fit_key, colour_families, materials, rating, in_stock, is_new_arrival, price)
  where deleted_at is null and get_byte(uuid_send(id), 15) = 0;
create index products_fit on products (fit_key, in_stock, price) where deleted_at is null;
-- For the clean-up of pictures that nothing names.
create index products_images on products using gin (images);
create index products_kind on products (category_key, sub_category_key, in_stock, price) where deleted_at is null;
create index products_label_words on products
  using gin (ts_filter(search, '{a}'), ts_filter(search, '{a,b}'), ts_filter(search, '{a,b,c}'), priced_words(search, price)) where deleted_at is null;
-- For the filters by what is derived: several materials and colours a product, so an inverted index of each.
create index products_materials on products using gin (materials) where deleted_at is null;
create index products_name on products (name, id) include (price, in_stock) where deleted_at is null;
create index products_new_arrivals on products (created_at desc, id desc) where deleted_at is null and is_new_arrival;
create index products_newest on products (created_at desc, id desc) include (price, in_stock) where deleted_at is null;
create index products_price on products (price, id) include (in_stock) where deleted_at is null;
create index products_rating on products (rating desc, id desc) include (price, in_stock) where deleted_at is null;
-- A search or filter that leaves much of a large catalogue is begun along the index of its sort, not sorted as a whole. This is the order of
-- products that match a search alike.
create index products_relevance on products (in_stock desc, rating desc, is_recommend desc, created_at desc, id desc) where deleted_at is null;
-- A fiftieth of the catalogue, by the random end of its keys, with all that filters compare: counts of long lists are estimated from it.
create index products_sample on products (id)
  include (category, category_key, sub_category, sub_category_key, brand, brand_key, fit, fit_key, colour_families, materials, rating, in_stock, is_new_arrival, price)
  where deleted_at is null and get_byte(uuid_send(id), 15) < 5;
create index products_scarcity on products (scarcity, id) where deleted_at is null;
create index products_sub_category on products (sub_category_key, in_stock, price) where deleted_at is null;
create index products_words on products using gin (search, price_steps(price)) where deleted_at is null;
create index products_words_few on products using gin (search, price_steps(price))
  where deleted_at is null and get_byte(uuid_send(id), 14) = 0;
create index products_words_sample on products using gin (search, price_steps(price))
  where deleted_at is null and get_byte(uuid_send(id), 14) < 5;

-- A size's quantity is that size's own stock; a price of 0 means the product's price.
create table product_sizes (
  product_id uuid not null references products on delete cascade,
  position smallint not null,
  size text not null check (length(size) between 1 and 60),
  quantity integer not null check (quantity >= 0),
  price integer not null check (price >= 0),
  measurements jsonb not null default '[]',
  unique (product_id, size),
  primary key (product_id, position)
) with (fillfactor = 90);

-- The outer dimensions of each size, in millimetres; null where nothing tells.
create table product_dimensions (
  product_id uuid not null references products on delete cascade,
  -- The size's; 0 for a product without sizes.
  position smallint not null,
  width smallint check (width between 1 and 10000),
  depth smallint check (depth between 1 and 10000),
  height smallint check (height between 1 and 10000),
  primary key (product_id, position) include (width, depth, height)
);

create index product_dimensions_depth on product_dimensions (depth) include (product_id, width, height);
create index product_dimensions_height on product_dimensions (height) include (product_id, width, depth);
create index product_dimensions_width on product_dimensions (width) include (product_id, depth, height);

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

create trigger products_price_at_least_one after insert or update of price on products
  for each row when (new.price < 1) execute function refuse_free_product();

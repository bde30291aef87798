-- What filters compare, derived from what the administrator typed (decision 18). Written by the shop at every change of a product; for the
-- products that are there it is derived in the background, so that nobody waits for it.
alter table products
  add column materials text[] not null default '{}',
  add column colour_families text[] not null default '{}',
  add column fit_key text not null default '',
  -- Which rules it was derived by; 0: not yet.
  add column attributes_version smallint not null default 0;
create index products_attributes on products (attributes_version) where deleted_at is null;

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

-- A row trigger that runs before an update makes PostgreSQL compute every generated column again at each update, the text search included,
-- also where only stock moves. After the update it refuses the same.
drop trigger products_price_at_least_one on products;
create trigger products_price_at_least_one after insert or update of price on products
  for each row when (new.price < 1) execute function refuse_free_product();

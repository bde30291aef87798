-- Sale prices with a first and a last moment (decision 120). `price` stays what is paid now, everywhere and for every version: the database writes it as
-- a sale begins and ends. `regular_price` is what was typed, kept while a sale is on, otherwise null.
alter table products
  add column regular_price integer,
  -- Pence; a product's sizes may have their own. The moments are those of the product and of its sizes.
  add column sale_price integer,
  add column sale_from timestamptz,
  add column sale_to timestamptz,
  -- Kept by the database: when the sale that is on has begun, the price before it that may be shown, and when the price changes next.
  add column sale_since timestamptz,
  add column was_price integer,
  add column price_changes_at timestamptz;
alter table product_sizes
  add column regular_price integer,
  add column sale_price integer,
  add column was_price integer;

-- Every price that could be paid, from the moment it held, of a product (size '') or of one of its sizes. Written by triggers alone. Without a foreign
-- key: products are never removed, and a check of each would lock their rows.
create table price_log (
  product_id uuid not null,
  size text not null default '',
  at timestamptz not null default now(),
  price integer not null,
  primary key (product_id, size, at)
);

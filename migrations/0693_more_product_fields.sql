alter table products
  add column sku text not null default '',
  add column barcode text not null default '',
  add column supplier text not null default '',
  add column supplier_reference text not null default '',
  -- In pence. Only the back office reads it.
  add column cost_price int,
  -- In grams, packed.
  add column weight int,
  -- One box a line, in centimetres.
  add column boxes text not null default '',
  add column assembly_minutes int,
  add column care_text text not null default '',
  add column seo_title text not null default '',
  add column seo_description text not null default '';
-- Those of a size; empty means the product's.
alter table product_sizes
  add column sku text not null default '',
  add column barcode text not null default '',
  add column cost_price int,
  add column weight int;
-- The name that the shop gave a line's colour when it was ordered; null where the value names itself, and in orders of earlier versions.
alter table order_items add column colour_name text;

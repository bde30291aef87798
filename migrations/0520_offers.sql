-- The lowest price that can be paid for a product, and whether it is in stock, kept by the database from the product and its sizes: what cards show
-- and what lists filter and sort by. `price` and `count_in_stock` stay what was typed and sold. Columns that triggers fill (0521), since a generated one
-- rewrites the table and cannot read another. The rules are those of `priceOf` and `piecesLeft` in src/contract/catalogue.ts.
alter table products
  add column from_price integer not null default 0,
  add column is_available boolean not null default false,
  -- How many can be sold, up to one more than LOW_STOCK: few sales change it, so few write its index.
  add column stock_level smallint not null default 0;

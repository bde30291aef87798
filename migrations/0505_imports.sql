-- The product that a row without an id became.
create table imported_products (
  -- SHA-256 of the row's cells.
  row_hash bytea primary key check (length(row_hash) = 32),
  product_id uuid not null references products on delete cascade,
  at timestamptz not null default now()
);

create index imported_products_at on imported_products (at);
create index imported_products_product on imported_products (product_id);

-- The stock that an import last wrote for a row of an export: the next import of that row counts its difference from here.
create table imported_stock (
  product_id uuid not null references products on delete cascade,
  -- SHA-256 of the row's `_exported` cell, which names the moment of the export.
  exported bytea not null check (length(exported) = 32),
  stock integer not null,
  -- Quantities by the size's name.
  sizes jsonb not null,
  at timestamptz not null default now(),
  primary key (product_id, exported)
);

create index imported_stock_at on imported_stock (at);

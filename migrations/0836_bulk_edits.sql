-- Changes of a selection of products, which can be undone for ten minutes. A nightly job deletes them after a day: the products' history stays.
create table bulk_edits (
  id uuid primary key,
  created_at timestamptz not null default now(),
  actor text not null,
  -- In words.
  change text not null,
  undo_until timestamptz not null,
  undone_at timestamptz
);

create table bulk_edit_products (
  bulk_edit_id uuid not null references bulk_edits on delete cascade,
  product_id uuid not null references products on delete cascade,
  -- The values that were changed, by their names in the code. An undo passes over a product that has others by then.
  before jsonb not null,
  after jsonb not null,
  primary key (bulk_edit_id, product_id)
);

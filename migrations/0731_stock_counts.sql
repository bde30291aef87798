-- What was counted in the warehouse, by sheet: a line that comes again with its sheet moves stock only by what is otherwise than last time.
create table stock_counts (
  -- Made with the sheet, by the shop or by the page that it was typed in.
  sheet uuid not null,
  product_id uuid not null references products on delete cascade,
  -- Empty for a product without sizes.
  size text not null default '',
  -- What there should have been: pieces for sale, and those set aside for orders.
  expected integer not null check (expected >= 0),
  counted integer not null check (counted >= 0),
  reason text not null,
  actor text not null,
  at timestamptz not null default now(),
  primary key (sheet, product_id, size)
);
create index stock_counts_of_product on stock_counts (product_id, at);

-- Who wants to hear when a sold-out product is back: an address, which counts once its owner has confirmed it by the link in a mail. The row goes
-- with the one mail that it is for.
create table stock_alerts (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  email text not null check (length(email) between 3 and 254),
  -- Recognises the links that confirm and stop it.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);
create unique index stock_alerts_of_product on stock_alerts (product_id, lower(email));
create index stock_alerts_confirmed on stock_alerts (product_id) where confirmed_at is not null;
create index stock_alerts_email on stock_alerts (lower(email));
create index stock_alerts_created on stock_alerts (created_at);

-- Times are timestamptz, amounts integer pence, keys UUIDv7 made by the shop.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table users (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));
create index users_created_at on users (created_at desc, id desc);
create index users_admins on users (id) where is_admin;
create index users_search on users using gin ((lower(name || ' ' || email)) gin_trgm_ops);

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- One live code per account.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  tries_left smallint not null check (tries_left >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

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
  deleted_at timestamptz
);

-- A size's quantity is that size's own stock; a price of 0 means the product's price.
create table product_sizes (
  product_id uuid not null references products on delete cascade,
  position smallint not null,
  size text not null check (length(size) between 1 and 60),
  quantity integer not null check (quantity >= 0),
  price integer not null check (price >= 0),
  measurements jsonb not null default '[]',
  primary key (product_id, position),
  unique (product_id, size)
);

create table orders (
  id uuid primary key,
  user_id uuid references users on delete set null,
  -- Kept on the order, so that it outlives the account.
  user_name text not null,
  user_email text not null,
  status text not null check (status in ('awaiting_payment', 'placed', 'expired', 'refunded')),
  full_name text not null default '',
  email text not null default '',
  phone text not null default '',
  line1 text not null default '',
  line2 text not null default '',
  city text not null default '',
  state text not null default '',
  postal_code text not null default '',
  country text not null default '',
  sub_total_price integer not null check (sub_total_price >= 0),
  shipping_price integer not null check (shipping_price >= 0),
  tax_price integer not null check (tax_price >= 0),
  total_price integer not null check (total_price = sub_total_price + shipping_price + tax_price),
  shipping_method text not null default 'standard' check (shipping_method in ('standard', 'express')),
  payment_method text not null,
  -- The provider's checkout session for a card order, a note for any other.
  order_payment_id text,
  provider_session_id text unique,
  provider_payment_id text,
  paid_at timestamptz,
  delivered_at timestamptz,
  idempotency_key text,
  payload_hash bytea,
  created_at timestamptz not null default now(),
  -- Until when an order that awaits payment holds its stock.
  hold_expires_at timestamptz,
  check (status <> 'awaiting_payment' or hold_expires_at is not null),
  unique (user_id, idempotency_key)
);
-- What is listed: placed and refunded orders.
create index orders_listed on orders (created_at desc, id desc) where status in ('placed', 'refunded');
create index orders_of_user on orders (user_id, created_at desc, id desc) where status in ('placed', 'refunded');
create index orders_held on orders (hold_expires_at) where status = 'awaiting_payment';

create table order_items (
  order_id uuid not null references orders on delete cascade,
  position smallint not null,
  product_id uuid not null references products,
  name text not null,
  image text not null,
  size text,
  color text,
  qty integer not null check (qty > 0),
  price integer not null check (price >= 0),
  primary key (order_id, position)
);
create index order_items_product on order_items (product_id);

-- What happened to an order, in order; nothing is ever changed or taken out.
create table order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  actor text not null,
  detail text not null default ''
);
create index order_events_order on order_events (order_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger order_events_append_only before update on order_events for each row execute function refuse_change();

-- Provider events already handled; a second delivery finds its id here.
create table payment_events (
  id text primary key,
  kind text not null,
  received_at timestamptz not null default now()
);

-- Who changed what in the back office.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_name text not null,
  entity text not null check (entity in ('product', 'user', 'order')),
  entity_id uuid not null,
  change text not null
);
create index audit_entries_entity on audit_entries (entity, entity_id, id desc);
create trigger audit_entries_append_only before update on audit_entries for each row execute function refuse_change();

-- Grows with every write that a catalogue page can show.
create sequence catalogue_version;

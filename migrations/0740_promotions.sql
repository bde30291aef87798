-- Codes and automatic promotions (decision 128). `code` is in capitals; null for one that applies by itself.
create table promotions (
  id uuid primary key,
  created_at timestamptz not null default now(),
  -- What customers read.
  name text not null,
  code text unique,
  kind text not null check (kind in ('percent', 'amount', 'free_delivery')),
  -- Per cent or pence; 0 for free delivery.
  value integer not null check (value >= 0 and (kind <> 'percent' or value <= 100)),
  -- The pieces that it reduces, as those of a sale: empty lists mean all.
  categories text[] not null default '{}',
  brands text[] not null default '{}',
  products uuid[] not null default '{}',
  least_subtotal integer not null default 0 check (least_subtotal >= 0),
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  most_uses integer check (most_uses > 0),
  most_uses_each integer check (most_uses_each > 0),
  is_first_order boolean not null default false,
  is_on boolean not null default true
);

-- The promotions of an order, with the name and code of that day. A trigger below keeps `is_used` true while the order is neither cancelled nor lapsed.
create table redemptions (
  order_id uuid not null references orders on delete cascade,
  promotion_id uuid not null references promotions,
  name text not null,
  code text,
  -- Pence off the goods; 0 for free delivery.
  discount integer not null check (discount >= 0),
  is_free_delivery boolean not null default false,
  is_used boolean not null default true,
  primary key (order_id, promotion_id)
);
create index redemptions_used on redemptions (promotion_id) where is_used;

-- Pence off all pieces of a line; an order's is their sum. `sub_total_price` stays the sum of prices, so that total = subtotal - discount + delivery.
alter table order_items
  add column discount integer not null default 0,
  add constraint order_items_discount_check check (discount >= 0 and discount <= price::bigint * qty) not valid;
alter table orders
  add column discount integer not null default 0,
  -- Set with the payment. The version before takes a discounted payment for a wrong amount: it cannot store it, so that the provider sends the notice
  -- again until this version gets it.
  add column knows_discount boolean not null default false;
alter table orders drop constraint orders_check;
alter table orders
  add constraint orders_total_check check (total_price = sub_total_price - discount + shipping_price + tax_price) not valid,
  add constraint orders_discount_check check (discount >= 0 and discount <= sub_total_price) not valid,
  add constraint orders_knows_discount_check
    check (discount = 0 or paid_at is null or payment_method <> 'Credit Card' or knows_discount) not valid;

-- A use is released with its order, by whatever version ends it, and taken again by a late payment.
create function holds_promotions(order_state text) returns boolean language sql immutable as $$
  select order_state not in ('expired', 'cancelled', 'refunded')
$$;
create function keep_redemptions() returns trigger language plpgsql as $$
begin
  update redemptions set is_used = holds_promotions(new.order_state) where order_id = new.id;
  return null;
end $$;
create trigger orders_redemptions after update on orders for each row
  when (holds_promotions(old.order_state) <> holds_promotions(new.order_state)) execute function keep_redemptions();

-- The paid price of some pieces of a line, in pence: the discount is spread over them (worthOf in src/contract/promotions/worth.ts).
create function worth_of(price integer, qty integer, discount integer, pieces integer) returns bigint language sql immutable as $$
  select (price::bigint * qty - discount) * pieces / qty
$$;

alter table audit_entries drop constraint audit_entries_entity_check;
alter table audit_entries
  add constraint audit_entries_entity_check check (entity in ('product', 'user', 'order', 'promotion')) not valid;

-- An order that a discount has made free has an invoice, too.
alter table invoices drop constraint invoices_gross_check;
alter table invoices add constraint invoices_gross_check check (gross > 0 or (gross = 0 and kind = 'invoice')) not valid;

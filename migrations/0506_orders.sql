-- A short name of an order for people: eight letters and digits that are not mistaken for each other, in two groups. The default makes it for
-- orders of every version of the shop.
create function new_order_reference() returns text language plpgsql volatile as $$
declare
  symbols constant text := 'ACDEFGHJKMNPQRTWXY34679';
  made text;
  bytes bytea;
begin
  loop
    bytes := uuid_send(gen_random_uuid());
    -- Bytes 6 and 8 of a random UUID hold its version.
    select string_agg(substr(symbols, 1 + get_byte(bytes, place) % length(symbols), 1), '' order by place) into made
      from unnest(array[0, 1, 2, 3, 10, 11, 12, 13]) as place;
    made := substr(made, 1, 4) || '-' || substr(made, 5);
    exit when not exists (select from orders where reference = made);
  end loop;
  return made;
end
$$;

-- The state of an order as src/server/orders/rules/states.ts names it.
create function state_of(status text, dispatched_at timestamptz, delivered_at timestamptz, return_stage text) returns text language sql immutable as $$
  select case
    when status = 'packing' and dispatched_at is not null then 'partly_dispatched'
    when status <> 'placed' or delivered_at is null then status
    when return_stage is null then 'delivered'
    when return_stage = 'returned' then 'returned'
    else 'return_' || return_stage
  end
$$;

-- Refuses a step from state to state that src/server/orders/rules/states.ts does not list, from any writer. A later migration replaces it.
create function check_order_step() returns trigger language plpgsql as $$
declare
  before text := state_of(old.status, old.dispatched_at, old.delivered_at, old.return_stage);
  after text := state_of(new.status, new.dispatched_at, new.delivered_at, new.return_stage);
begin
  if before <> after and (before, after) not in (
    ('awaiting_payment', 'placed'), ('awaiting_payment', 'expired'),
    ('expired', 'placed'), ('expired', 'refunded'),
    ('placed', 'packing'), ('packing', 'placed'),
    ('placed', 'dispatched'), ('packing', 'dispatched'), ('partly_dispatched', 'dispatched'), ('delivery_failed', 'dispatched'),
    ('placed', 'partly_dispatched'), ('packing', 'partly_dispatched'), ('delivery_failed', 'partly_dispatched'),
    ('dispatched', 'packing'), ('partly_dispatched', 'packing'), ('dispatched', 'partly_dispatched'),
    ('dispatched', 'delivery_failed'), ('partly_dispatched', 'delivery_failed'),
    ('placed', 'delivered'), ('packing', 'delivered'), ('partly_dispatched', 'delivered'), ('dispatched', 'delivered'),
    ('delivery_failed', 'delivered'),
    ('delivered', 'placed'), ('delivered', 'partly_dispatched'), ('delivered', 'dispatched'),
    ('placed', 'cancelled'), ('packing', 'cancelled'), ('delivery_failed', 'cancelled'),
    ('delivered', 'return_asked'), ('return_approved', 'return_asked'),
    ('delivered', 'return_approved'), ('return_asked', 'return_approved'),
    ('return_asked', 'delivered'), ('return_approved', 'delivered'),
    ('return_asked', 'returned'), ('return_approved', 'returned')
  ) then
    raise exception 'an order that is % cannot become %', before, after using errcode = 'check_violation', constraint = 'orders_step';
  end if;
  return new;
end $$;

-- Where an order goes, however it was typed: street, number and postal code without punctuation, spaces and case. A flat or a name in the
-- second line does not make another address.
create function address_key(line1 text, postal_code text) returns text language sql immutable as $$
  select lower(regexp_replace(line1 || postal_code, '[^[:alnum:]]', '', 'g'))
$$;

-- The words by which orders are found, of names and email addresses: words are what stands between spaces, the two parts of an address, and what is left of these without
-- punctuation. What stands far behind in a text is not found: an index takes no word of more than 2 KB.
create function order_words(text text) returns tsvector language sql immutable parallel safe return (
  array_to_tsvector(array_remove(
    string_to_array(left(lower(text), 500), ' ') || string_to_array(replace(left(lower(text), 500), '@', ' '), ' ')
      || string_to_array(regexp_replace(left(lower(text), 500), '[^[:alnum:]]+', ' ', 'g'), ' '),
    ''))
);

-- What was typed, as a query for these words, of which the last may be only begun. Null where it has none.
create function order_words_query(typed text) returns tsquery language sql immutable parallel safe return (
  select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' || case when is_last then ':*' else '' end, ' & ')::tsquery
  from (
    select word, place = max(place) over () as is_last
    from unnest(array_remove(regexp_split_to_array(regexp_replace(lower(typed), '(^|\s)[^[:alnum:]]+', '\1', 'g'), '\s+'), ''))
      with ordinality as typed_words (word, place)
  ) as words
);

create table orders (
  id uuid primary key,
  user_id uuid references users on delete set null,
  -- Kept on the order, so that it outlives the account.
  user_name text not null,
  user_email text not null,
  status text not null check (status in ('awaiting_payment', 'expired', 'placed', 'packing', 'dispatched', 'delivery_failed', 'cancelled', 'refunded')),
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
  total_price integer not null,
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
  -- A card checkout's way back: the hash of the mark in the cancel address that the provider is given, and the page to pay on, which a request
  -- that is sent again gets again.
  cancel_mark_hash bytea,
  payment_url text,
  reference text not null default new_order_reference(),
  -- The days on which an order is promised to arrive, as its buyer was told; null where the days could not be told, and for orders from before.
  delivery_from date,
  delivery_to date,
  dispatched_at timestamptz,
  -- What was cancelled before it was paid, and so is not to be paid any more.
  waived_price integer not null default 0,
  -- What has gone back to the customer or is on its way there.
  refunded_price integer not null default 0,
  -- What the order's returns wait for; null where there is none to wait for.
  return_stage text,
  -- A larger first order of an account waits for an administrator's word: nothing of it may leave before.
  awaits_approval boolean not null default false,
  unique (user_id, idempotency_key),
  constraint orders_approved_before_leaving check (
    not awaits_approval or (status in ('awaiting_payment', 'expired', 'placed', 'cancelled', 'refunded') and dispatched_at is null and delivered_at is null)
  ),
  constraint orders_check check (total_price = sub_total_price + shipping_price + tax_price),
  constraint orders_check1 check (status <> 'awaiting_payment' or hold_expires_at is not null),
  constraint orders_delivery_window check ((delivery_from is null) = (delivery_to is null) and delivery_from <= delivery_to),
  constraint orders_refunded_price_check check (refunded_price >= 0 and refunded_price <= case when paid_at is null then 0 else total_price - waived_price end),
  constraint orders_return_stage_check check (
    return_stage is null or (return_stage in ('asked', 'approved', 'returned') and status = 'placed' and delivered_at is not null)
  ),
  constraint orders_waived_price_check check (waived_price >= 0 and waived_price <= total_price)
);

-- Finds what a customer is about to pay; small, since such orders end within the hour.
create index orders_awaiting on orders (user_id) where status = 'awaiting_payment';
create index orders_by_total on orders (total_price desc, id desc) include (status, paid_at, delivered_at, created_at)
  where status not in ('awaiting_payment', 'expired');
create unique index orders_cancel_mark on orders (cancel_mark_hash) where cancel_mark_hash is not null;
create index orders_delivered on orders (status) include (paid_at)
  where status not in ('awaiting_payment', 'expired') and delivered_at is not null;
create index orders_held on orders (hold_expires_at) where status = 'awaiting_payment';
create index orders_listed on orders (created_at desc, id desc) include (status, paid_at, delivered_at)
  where status not in ('awaiting_payment', 'expired');
create index orders_of_user on orders (user_id, created_at desc, id desc) where status not in ('awaiting_payment', 'expired');
create index orders_open_cash on orders (user_id)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null and delivered_at is null
    and payment_method <> 'Credit Card';
create index orders_open_cash_at on orders (address_key(line1, postal_code))
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null and delivered_at is null
    and payment_method <> 'Credit Card';
-- The holds of one customer.
create index orders_open_of_user on orders (user_id) where status = 'awaiting_payment';
create index orders_paid on orders (status) include (delivered_at) where status not in ('awaiting_payment', 'expired') and paid_at is not null;
create index orders_payment on orders (provider_payment_id) where provider_payment_id is not null;
create unique index orders_reference on orders (reference);
create index orders_sold on orders (created_at) include (id, total_price, waived_price, refunded_price)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed');
create index orders_states on orders (status) where status not in ('awaiting_payment', 'expired');
create index orders_to_dispatch on orders (created_at desc, id desc) where status in ('packing', 'delivery_failed');
-- The tabs of the order list.
create index orders_to_pack on orders (created_at desc, id desc) where status = 'placed' and delivered_at is null;
create index orders_undelivered on orders (created_at desc, id desc)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and delivered_at is null;
create index orders_unpaid on orders (created_at desc, id desc)
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null;
create index orders_unpaid_named on orders (created_at) where status = 'expired' and user_name <> 'Erased customer';
create index orders_words on orders using gin (order_words(user_name || ' ' || user_email || ' ' || full_name || ' ' || email))
  with (fastupdate = off) where status not in ('awaiting_payment', 'expired');

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
  -- A product with colours was ordered without one, as clarification 11 allows: the shop has to ask which. Kept on the line, since the
  -- product's colours may change later.
  is_colour_open boolean not null default false,
  -- Pieces of a line: cancelled before they left, back in stock after they left, and those whose price was given back.
  cancelled_qty integer not null default 0,
  returned_qty integer not null default 0,
  refunded_qty integer not null default 0,
  -- Pieces that came back and cannot be sold again.
  spoiled_qty integer not null default 0,
  primary key (order_id, position),
  constraint order_items_back_check check (cancelled_qty >= 0 and returned_qty >= 0 and spoiled_qty >= 0 and cancelled_qty + returned_qty + spoiled_qty <= qty),
  constraint order_items_refunded_check check (refunded_qty >= 0 and refunded_qty <= qty)
);

create index order_items_image on order_items (image);
create index order_items_product on order_items (product_id);

create trigger orders_step before update of status, dispatched_at, delivered_at, return_stage on orders for each row
  when (old.status is distinct from new.status or old.dispatched_at is distinct from new.dispatched_at
    or old.delivered_at is distinct from new.delivered_at or old.return_stage is distinct from new.return_stage)
  execute function check_order_step();

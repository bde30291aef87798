-- An order leaves in one parcel or in several, and pieces of it come back. An order of which some pieces have left stays `packing` with the date
-- of its dispatch, and one with returns stays `placed` with the date of its delivery, as the version before knows them, so that both can serve
-- while one replaces the other.
alter table orders
  -- What the order's returns wait for; null where there is none to wait for.
  add column return_stage text,
  add constraint orders_return_stage_check check (
    return_stage is null or (return_stage in ('asked', 'approved', 'returned') and status = 'placed' and delivered_at is not null));

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
create or replace function check_order_step() returns trigger language plpgsql as $$
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
drop trigger orders_step on orders;
create trigger orders_step before update of status, dispatched_at, delivered_at, return_stage on orders for each row
  when (old.status is distinct from new.status or old.dispatched_at is distinct from new.dispatched_at
    or old.delivered_at is distinct from new.delivered_at or old.return_stage is distinct from new.return_stage)
  execute function check_order_step();
drop function state_of(text, timestamptz);

create table parcels (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  sent_at timestamptz not null default now(),
  actor text not null,
  -- A key of src/contract/orders/carriers.ts; empty where nobody said.
  carrier text not null default '',
  tracking_number text not null default '',
  -- Typed by an administrator; known carriers' links are made of the number.
  tracking_link text not null default '' check (tracking_link = '' or tracking_link like 'https://%'),
  expected_on date,
  -- A parcel that failed came back to the shop; one that was taken back never left it.
  status text not null default 'sent' check (status in ('sent', 'failed', 'taken_back')),
  -- When the customer was told of it by mail.
  told_at timestamptz
);
create index parcels_order on parcels (order_id, sent_at, id);
create table parcel_items (
  parcel_id uuid not null references parcels on delete cascade,
  -- The line of the order.
  position integer not null,
  qty integer not null check (qty > 0),
  primary key (parcel_id, position)
);

alter table order_items
  -- Pieces that came back and cannot be sold again.
  add column spoiled_qty integer not null default 0,
  drop constraint order_items_back_check,
  add constraint order_items_back_check check (
    cancelled_qty >= 0 and returned_qty >= 0 and spoiled_qty >= 0 and cancelled_qty + returned_qty + spoiled_qty <= qty);

create table order_returns (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  asked_at timestamptz not null default now(),
  reason text not null,
  -- What the customer says besides.
  note text not null default '',
  -- Asked for by an administrator, such as for faulty goods after the window.
  actor text not null,
  status text not null check (status in ('asked', 'approved', 'refused', 'withdrawn', 'received')),
  decided_at timestamptz,
  -- What the shop says to it.
  answer text not null default '',
  -- Until when the pieces are to be sent back.
  send_by date,
  received_at timestamptz,
  check ((decided_at is null) = (status in ('asked', 'withdrawn')) or status = 'withdrawn'),
  check ((received_at is not null) = (status = 'received'))
);
create index order_returns_order on order_returns (order_id, asked_at, id);
create index order_returns_asked on order_returns (asked_at) where status = 'asked';
create table order_return_items (
  return_id uuid not null references order_returns on delete cascade,
  position integer not null,
  qty integer not null check (qty > 0),
  -- Of those, what came back and can be sold again, and what came back and cannot.
  restocked_qty integer not null default 0 check (restocked_qty >= 0),
  spoiled_qty integer not null default 0 check (spoiled_qty >= 0),
  primary key (return_id, position),
  check (restocked_qty + spoiled_qty <= qty)
);

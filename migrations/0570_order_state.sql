-- One column for the state of an order, and the steps from state to state as src/contract/orders/states.ts has them (a test compares the two). A new
-- state is a migration that adds its steps. The columns that said the state before, `status` and `return_stage`, are kept true for the version before.
create table order_steps (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into order_steps (from_state, to_state) values
  ('awaiting_payment', 'expired'), ('awaiting_payment', 'placed'),
  ('expired', 'placed'), ('expired', 'refunded'),
  ('placed', 'packing'), ('placed', 'partly_dispatched'), ('placed', 'dispatched'), ('placed', 'delivered'), ('placed', 'cancelled'),
  ('packing', 'placed'), ('packing', 'partly_dispatched'), ('packing', 'dispatched'), ('packing', 'delivered'), ('packing', 'cancelled'),
  ('partly_dispatched', 'packing'), ('partly_dispatched', 'dispatched'), ('partly_dispatched', 'delivery_failed'), ('partly_dispatched', 'delivered'),
  ('dispatched', 'packing'), ('dispatched', 'partly_dispatched'), ('dispatched', 'delivery_failed'), ('dispatched', 'delivered'),
  ('delivery_failed', 'partly_dispatched'), ('delivery_failed', 'dispatched'), ('delivery_failed', 'delivered'), ('delivery_failed', 'cancelled'),
  ('delivered', 'placed'), ('delivered', 'partly_dispatched'), ('delivered', 'dispatched'), ('delivered', 'return_asked'), ('delivered', 'return_approved'),
  ('return_asked', 'delivered'), ('return_asked', 'return_approved'), ('return_asked', 'returned'),
  ('return_approved', 'delivered'), ('return_approved', 'return_asked'), ('return_approved', 'returned');

-- Empty until the row is written again, or filled by the next migration. (`state` is part of the address.)
alter table orders add column order_state text not null default '';
alter table orders alter column status set default 'placed';

create function keep_order_state() returns trigger language plpgsql as $$
declare
  written text := state_of(new.status, new.dispatched_at, new.delivered_at, new.return_stage);
begin
  if tg_op = 'INSERT' and new.order_state = '' then
    new.order_state := written;
  elsif tg_op = 'UPDATE' and new.order_state = old.order_state then
    -- The version before writes `status`, `return_stage` and dates.
    if old.order_state = '' or written <> state_of(old.status, old.dispatched_at, old.delivered_at, old.return_stage) then
      new.order_state := written;
    end if;
  else
    if not exists (select from order_steps where new.order_state in (from_state, to_state)) then
      raise exception 'an order cannot be %', new.order_state using errcode = 'check_violation', constraint = 'orders_state';
    end if;
    -- States that the version before does not know are placed to it.
    new.status := case
      when new.order_state = 'partly_dispatched' then 'packing'
      when new.order_state in ('awaiting_payment', 'expired', 'packing', 'dispatched', 'delivery_failed', 'cancelled', 'refunded')
        then new.order_state
      else 'placed'
    end;
    new.return_stage := case new.order_state when 'return_asked' then 'asked' when 'return_approved' then 'approved' when 'returned' then 'returned' end;
  end if;
  return new;
end $$;
create trigger orders_state before insert or update of order_state, status, dispatched_at, delivered_at, return_stage on orders
  for each row execute function keep_order_state();
-- Also for what is written past the other triggers, so that the columns never contradict each other.
alter table orders enable always trigger orders_state;

create or replace function check_order_step() returns trigger language plpgsql as $$
declare
  before text := coalesce(nullif(old.order_state, ''), state_of(old.status, old.dispatched_at, old.delivered_at, old.return_stage));
begin
  if before <> new.order_state and not exists (select from order_steps where from_state = before and to_state = new.order_state) then
    raise exception 'an order that is % cannot become %', before, new.order_state using errcode = 'check_violation', constraint = 'orders_step';
  end if;
  return new;
end $$;
-- After `orders_state`, since triggers run in the order of their names.
drop trigger orders_step on orders;
create trigger orders_step before update on orders for each row
  when (old.order_state is distinct from new.order_state) execute function check_order_step();

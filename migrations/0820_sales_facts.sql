-- What the reports add up: facts of orders by the day of the order, by the same triggers and the same job as the sums of sales (0511, 0742).

-- What a piece cost the shop when it was sold; null where that was not known. A trigger writes it, whatever stores the line.
alter table order_items add column cost_price integer;

create function know_cost() returns trigger language plpgsql as $$
begin
  new.cost_price := coalesce(
    (select cost_price from product_sizes where product_id = new.product_id and size = new.size),
    (select cost_price from products where id = new.product_id)
  );
  return new;
end $$;
create trigger cost_known before insert on order_items for each row when (new.cost_price is null) execute function know_cost();

-- The orders that were their customer's first. Told once, when an order is placed: erasing a customer does not change it.
create table first_orders (
  order_id uuid primary key references orders on delete cascade
);

create table sales_fact_changes (
  day date not null,
  fact text not null,
  key text not null,
  count integer not null,
  amount bigint not null,
  -- What was paid without VAT for pieces whose cost is known, and that cost.
  net bigint not null,
  cost bigint not null
);

create table sales_facts (
  day date not null,
  fact text not null,
  key text not null,
  count integer not null,
  amount bigint not null,
  net bigint not null,
  cost bigint not null,
  primary key (day, fact, key)
);

-- The same by month, so that a year is a dozen sums of each key. `month` is its first day.
create table sales_fact_months (
  month date not null,
  fact text not null,
  key text not null,
  count integer not null,
  amount bigint not null,
  net bigint not null,
  cost bigint not null,
  primary key (month, fact, key)
);

-- Days whose facts the job still has to count from the orders themselves: those before this migration.
create table sales_recounts (
  day date primary key
);
insert into sales_recounts select day from sales_days union select day from sales_changes where product_id is null;

-- The letters that begin a postcode of the United Kingdom, else the country; empty for an erased address.
create function postcode_area(postal_code text, country text) returns text language sql immutable as $$
  select case
    when postal_code = '' then ''
    when country = 'United Kingdom' then coalesce(upper(substring(postal_code from '^\s*([A-Za-z]{1,2})\d')), '')
    else country
  end
$$;

-- The VAT in a price at a rate in hundredths of a per cent, half up, as src/contract/invoices/vat.ts has it.
create function vat_in(gross bigint, rate integer) returns bigint language sql immutable as $$
  select (2 * gross * rate + 10000 + rate) / (2 * (10000 + rate))
$$;

-- The facts of an order itself.
create function order_facts(order_id uuid, status text, postal_code text, country text, total bigint, gone bigint, delivered_at timestamptz, promised date)
returns table (fact text, key text, count integer, amount bigint, net bigint, cost bigint) language sql stable as $$
  select made.fact, made.key, 1, made.amount, 0::bigint, 0::bigint
  from (values
    ('placed', '', total, true),
    ('cancelled', '', total, status in ('cancelled', 'refunded')),
    ('area', postcode_area(postal_code, country), total - gone, is_sold(status)),
    ('customer', case when exists (select from first_orders f where f.order_id = order_facts.order_id) then 'new' else 'returning' end,
      total - gone, is_sold(status)),
    ('delivery', case when shop_day(delivered_at) <= promised then 'on time' else 'late' end, 0,
      is_sold(status) and delivered_at is not null and promised is not null)
  ) as made (fact, key, amount, applies)
  where made.applies and status not in ('awaiting_payment', 'expired')
$$;

-- The facts of a line of an order.
create function item_facts(status text, product_id uuid, price integer, qty integer, discount integer, cancelled integer, returned integer, vat_rate integer, cost_price integer)
returns table (fact text, key text, count integer, amount bigint, net bigint, cost bigint) language sql immutable as $$
  select made.fact, product_id::text, made.pieces, worth.paid,
    case when made.fact = 'product' and cost_price is not null then worth.paid - vat_in(worth.paid, coalesce(vat_rate, 0)) else 0 end,
    case when made.fact = 'product' and cost_price is not null then made.pieces::bigint * cost_price else 0 end
  from (values ('product', qty - cancelled - returned), ('cancelled pieces', cancelled), ('returned pieces', returned)) as made (fact, pieces),
    lateral (select worth_of(price, qty, discount, made.pieces) as paid) worth
  where made.pieces > 0 and is_sold(status)
$$;

-- The facts of what belongs to an order: its lines, the promotions it had, its returns.
create function part_facts(order_id uuid, status text)
returns table (fact text, key text, count integer, amount bigint, net bigint, cost bigint) language sql stable as $$
  select f.* from order_items i,
    lateral item_facts(part_facts.status, i.product_id, i.price, i.qty, i.discount, i.cancelled_qty, i.returned_qty + i.spoiled_qty, i.vat_rate, i.cost_price) f
  where i.order_id = part_facts.order_id
  union all
  select 'promotion', r.promotion_id::text, 1, r.discount, 0, 0 from redemptions r
  where r.order_id = part_facts.order_id and is_sold(part_facts.status)
  union all
  select 'return', r.reason, 1, 0, 0, 0 from order_returns r
  where r.order_id = part_facts.order_id and r.status not in ('refused', 'withdrawn')
$$;

create or replace function sum_orders_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), count(*), count(*) filter (where is_sold(status)),
    coalesce(sum(total_price::bigint - waived_price - refunded_price) filter (where is_sold(status)), 0)
  from added where status not in ('awaiting_payment', 'expired') group by 1;
  insert into first_orders
  select id from added where status not in ('awaiting_payment', 'expired') and user_id is not null
    and not exists (
      select from orders o where o.user_id = added.user_id and o.order_state not in ('awaiting_payment', 'expired')
        and (o.created_at, o.id) < (added.created_at, added.id))
    and not exists (select from orders o join first_orders f on f.order_id = o.id where o.user_id = added.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(o.created_at), f.fact, f.key, sum(f.count), sum(f.amount), sum(f.net), sum(f.cost)
  from added o, lateral order_facts(o.id, o.status, o.postal_code, o.country, o.total_price, o.waived_price::bigint + o.refunded_price, o.delivered_at, o.delivery_to) f
  group by 1, 2, 3;
  return null;
end $$;

create or replace function sum_orders_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, listed, orders, revenue)
  select shop_day(created_at), sum(sign), coalesce(sum(sign) filter (where is_sold(status)), 0),
    coalesce(sum(sign * (total_price::bigint - waived_price - refunded_price)) filter (where is_sold(status)), 0)
  from (
    select created_at, status, total_price, waived_price, refunded_price, 1 as sign from after
    union all select created_at, status, total_price, waived_price, refunded_price, -1 from before
  ) as moved
  where status not in ('awaiting_payment', 'expired')
  group by 1
  having sum(sign) <> 0 or coalesce(sum(sign) filter (where is_sold(status)), 0) <> 0
    or coalesce(sum(sign * (total_price::bigint - waived_price - refunded_price)) filter (where is_sold(status)), 0) <> 0;
  insert into first_orders
  select after.id from after join before using (id)
  where before.status in ('awaiting_payment', 'expired') and after.status not in ('awaiting_payment', 'expired') and after.user_id is not null
    and not exists (
      select from orders o where o.user_id = after.user_id and o.order_state not in ('awaiting_payment', 'expired')
        and (o.created_at, o.id) < (after.created_at, after.id))
    and not exists (select from orders o join first_orders f on f.order_id = o.id where o.user_id = after.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(o.created_at), f.fact, f.key, sum(o.sign * f.count), sum(o.sign * f.amount), sum(o.sign * f.net), sum(o.sign * f.cost)
  from (
    select id, created_at, status, postal_code, country, total_price, waived_price, refunded_price, delivered_at, delivery_to, 1 as sign from after
    union all
    select id, created_at, status, postal_code, country, total_price, waived_price, refunded_price, delivered_at, delivery_to, -1 from before
  ) as o,
    lateral order_facts(o.id, o.status, o.postal_code, o.country, o.total_price, o.waived_price::bigint + o.refunded_price, o.delivered_at, o.delivery_to) f
  group by 1, 2, 3
  having sum(o.sign * f.count) <> 0 or sum(o.sign * f.amount) <> 0;
  if exists (
    select from after join before using (id) where is_sold(after.status) <> is_sold(before.status) or after.created_at <> before.created_at
  ) then
    insert into sales_changes (day, product_id, pieces, revenue)
    select shop_day(moved.created_at), item.product_id, sum(moved.sign * here.pieces),
      sum(moved.sign * worth_of(item.price, item.qty, item.discount, here.pieces))
    from (
      select id, created_at, status, 1 as sign from after union all select id, created_at, status, -1 from before
    ) as moved join order_items item on item.order_id = moved.id,
      lateral (select item.qty - item.cancelled_qty - item.returned_qty - item.spoiled_qty as pieces) here
    where is_sold(moved.status)
    group by 1, 2
    having sum(moved.sign * here.pieces) <> 0;
    insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
    select shop_day(moved.created_at), f.fact, f.key, sum(moved.sign * f.count), sum(moved.sign * f.amount), sum(moved.sign * f.net), sum(moved.sign * f.cost)
    from (
      select id, created_at, status, 1 as sign from after union all select id, created_at, status, -1 from before
    ) as moved, lateral part_facts(moved.id, moved.status) f
    group by 1, 2, 3
    having sum(moved.sign * f.count) <> 0 or sum(moved.sign * f.amount) <> 0;
  end if;
  return null;
end $$;

create or replace function sum_items_added() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), added.product_id, sum(here.pieces),
    sum(worth_of(added.price, added.qty, added.discount, here.pieces))
  from added join orders on orders.id = added.order_id,
    lateral (select added.qty - added.cancelled_qty - added.returned_qty - added.spoiled_qty as pieces) here
  where is_sold(orders.status)
  group by 1, 2;
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), f.fact, f.key, sum(f.count), sum(f.amount), sum(f.net), sum(f.cost)
  from added i join orders on orders.id = i.order_id,
    lateral item_facts(orders.status, i.product_id, i.price, i.qty, i.discount, i.cancelled_qty, i.returned_qty + i.spoiled_qty, i.vat_rate, i.cost_price) f
  group by 1, 2, 3;
  return null;
end $$;

-- Also of lines whose price changes, or which are taken off an order.
create or replace function sum_items_changed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), moved.product_id, sum(moved.sign * moved.pieces),
    sum(moved.sign * worth_of(moved.price, moved.qty, moved.discount, moved.pieces))
  from (
    select order_id, product_id, price, qty, discount, qty - cancelled_qty - returned_qty - spoiled_qty as pieces, 1 as sign from after
    union all select order_id, product_id, price, qty, discount, qty - cancelled_qty - returned_qty - spoiled_qty, -1 from before
  ) as moved join orders on orders.id = moved.order_id
  where is_sold(orders.status)
  group by 1, 2
  having sum(moved.sign * moved.pieces) <> 0 or sum(moved.sign * worth_of(moved.price, moved.qty, moved.discount, moved.pieces)) <> 0;
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), f.fact, f.key, sum(i.sign * f.count), sum(i.sign * f.amount), sum(i.sign * f.net), sum(i.sign * f.cost)
  from (select *, 1 as sign from after union all select *, -1 from before) as i join orders on orders.id = i.order_id,
    lateral item_facts(orders.status, i.product_id, i.price, i.qty, i.discount, i.cancelled_qty, i.returned_qty + i.spoiled_qty, i.vat_rate, i.cost_price) f
  group by 1, 2, 3
  having sum(i.sign * f.count) <> 0 or sum(i.sign * f.amount) <> 0 or sum(i.sign * f.net) <> 0 or sum(i.sign * f.cost) <> 0;
  return null;
end $$;

create function sum_items_removed() returns trigger language plpgsql as $$
begin
  insert into sales_changes (day, product_id, pieces, revenue)
  select shop_day(orders.created_at), gone.product_id, -sum(here.pieces), -sum(worth_of(gone.price, gone.qty, gone.discount, here.pieces))
  from gone join orders on orders.id = gone.order_id,
    lateral (select gone.qty - gone.cancelled_qty - gone.returned_qty - gone.spoiled_qty as pieces) here
  where is_sold(orders.status)
  group by 1, 2;
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), f.fact, f.key, -sum(f.count), -sum(f.amount), -sum(f.net), -sum(f.cost)
  from gone i join orders on orders.id = i.order_id,
    lateral item_facts(orders.status, i.product_id, i.price, i.qty, i.discount, i.cancelled_qty, i.returned_qty + i.spoiled_qty, i.vat_rate, i.cost_price) f
  group by 1, 2, 3;
  return null;
end $$;
create trigger items_summed_off after delete on order_items referencing old table as gone for each statement execute function sum_items_removed();
alter table order_items enable always trigger items_summed_off;

create function sum_promotions_used() returns trigger language plpgsql as $$
begin
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), 'promotion', promotion_id::text, count(*), sum(used.discount), 0, 0
  from used join orders on orders.id = used.order_id where is_sold(orders.status) group by 1, 3;
  return null;
end $$;
create trigger redemptions_summed after insert on redemptions referencing new table as used for each statement execute function sum_promotions_used();
alter table redemptions enable always trigger redemptions_summed;

create function sum_promotions_dropped() returns trigger language plpgsql as $$
begin
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), 'promotion', promotion_id::text, -count(*), -sum(gone.discount), 0, 0
  from gone join orders on orders.id = gone.order_id where is_sold(orders.status) group by 1, 3;
  return null;
end $$;
create trigger redemptions_summed_off after delete on redemptions referencing old table as gone for each statement execute function sum_promotions_dropped();
alter table redemptions enable always trigger redemptions_summed_off;

create function sum_returns_added() returns trigger language plpgsql as $$
begin
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), 'return', added.reason, count(*), 0, 0, 0
  from added join orders on orders.id = added.order_id where added.status not in ('refused', 'withdrawn') group by 1, 3;
  return null;
end $$;
create trigger returns_summed after insert on order_returns referencing new table as added for each statement execute function sum_returns_added();
alter table order_returns enable always trigger returns_summed;

create function sum_returns_changed() returns trigger language plpgsql as $$
begin
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select shop_day(orders.created_at), 'return', moved.reason, sum(moved.sign), 0, 0, 0
  from (select order_id, reason, status, 1 as sign from after union all select order_id, reason, status, -1 from before) as moved
    join orders on orders.id = moved.order_id
  where moved.status not in ('refused', 'withdrawn')
  group by 1, 3
  having sum(moved.sign) <> 0;
  return null;
end $$;
create trigger returns_summed_again after update on order_returns referencing old table as before new table as after
  for each statement execute function sum_returns_changed();
alter table order_returns enable always trigger returns_summed_again;

-- Counts the facts of a day's orders again and notes what the sums lack: one statement, whose snapshot has the orders and the changes noted for them alike.
create function recount_sales_facts(wanted date) returns void language plpgsql as $$
declare
  day_start timestamptz := wanted::timestamp at time zone 'Europe/London';
  day_end timestamptz := (wanted + 1)::timestamp at time zone 'Europe/London';
begin
  insert into first_orders
  select o.id from orders o
  where o.created_at >= day_start and o.created_at < day_end and o.order_state not in ('awaiting_payment', 'expired') and o.user_id is not null
    and not exists (
      select from orders other where other.user_id = o.user_id and other.order_state not in ('awaiting_payment', 'expired')
        and (other.created_at, other.id) < (o.created_at, o.id))
    and not exists (select from orders other join first_orders f on f.order_id = other.id where other.user_id = o.user_id);
  insert into sales_fact_changes (day, fact, key, count, amount, net, cost)
  select wanted, fact, key, sum(count), sum(amount), sum(net), sum(cost)
  from (
    select f.* from orders o,
      lateral (
        select * from order_facts(o.id, o.status, o.postal_code, o.country, o.total_price, o.waived_price::bigint + o.refunded_price, o.delivered_at, o.delivery_to)
        union all select * from part_facts(o.id, o.status)
      ) f
    where o.created_at >= day_start and o.created_at < day_end
    union all select fact, key, -count, -amount, -net, -cost from sales_facts where day = wanted
    union all select fact, key, -count, -amount, -net, -cost from sales_fact_changes where day = wanted
  ) as counted
  group by 2, 3
  having sum(count) <> 0 or sum(amount) <> 0 or sum(net) <> 0 or sum(cost) <> 0;
end $$;

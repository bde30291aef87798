-- Notes what can be paid for products and their sizes, where that differs from the last note.
create function log_prices(ids uuid[]) returns void language sql as $$
  insert into price_log (product_id, size, price)
  select p.id, coalesce(s.size, ''), coalesce(nullif(s.price, 0), p.price)
  from products p left join product_sizes s on s.product_id = p.id
  where p.id = any(ids) and coalesce(nullif(s.price, 0), p.price) is distinct from (
    select l.price from price_log l where l.product_id = p.id and l.size = coalesce(s.size, '') order by l.at desc limit 1)
  on conflict (product_id, size, at) do update set price = excluded.price
$$;

-- The lowest price of the 30 days before a moment; null where the log does not reach back so far.
create function reference_price(product uuid, of_size text, since timestamptz) returns integer language sql stable as $$
  with held as (select max(at) as at from price_log where product_id = product and size = of_size and at <= since - interval '30 days')
  select min(l.price) from held join price_log l on l.at >= held.at
  where held.at is not null and l.product_id = product and l.size = of_size and l.at < since
$$;

-- Writes the prices of products and their sizes as they are at this moment: the one place that knows whether a sale is on. Needs the products' locks.
create function refresh_prices(ids uuid[]) returns void language plpgsql as $$
begin
  with typed as (
    select p.*, coalesce(p.regular_price, p.price) as regular,
      p.sale_price is not null or exists (select from product_sizes s where s.product_id = p.id and s.sale_price is not null) as has_sale
    from products p where p.id = any(ids)
  ), judged as (
    select *, has_sale and now() >= coalesce(sale_from, '-infinity') and now() < coalesce(sale_to, 'infinity') as is_on from typed
  ), priced as (
    select id, case when is_on then least(sale_price, regular) else regular end as price, case when is_on then regular end as regular_price,
      case when is_on then coalesce(sale_since, now()) end as sale_since,
      case when is_on then reference_price(id, '', coalesce(sale_since, now())) end as reference,
      case when not has_sale then null when now() < sale_from then sale_from when now() < sale_to then sale_to end as price_changes_at
    from judged
  ), shown as (
    select *, case when least(reference, regular_price) > price and reference is not null then least(reference, regular_price) end as was_price from priced
  )
  update products p set (price, regular_price, sale_since, was_price, price_changes_at) =
    (o.price, o.regular_price, o.sale_since, o.was_price, o.price_changes_at)
  from shown o
  where o.id = p.id and (p.price, p.regular_price, p.sale_since, p.was_price, p.price_changes_at)
    is distinct from (o.price, o.regular_price, o.sale_since, o.was_price, o.price_changes_at);

  -- A size without a price of its own (0) follows the product's.
  with typed as (
    select s.product_id, s.position, s.size, s.sale_price, p.sale_since, p.price as product_price, coalesce(s.regular_price, s.price) as regular,
      coalesce(nullif(coalesce(s.regular_price, s.price), 0), p.regular_price) as usual
    from product_sizes s join products p on p.id = s.product_id where p.id = any(ids)
  ), priced as (
    select *, case when sale_since is not null and sale_price is not null then least(sale_price, usual) else regular end as price,
      case when sale_since is not null then reference_price(product_id, size, sale_since) end as reference
    from typed
  ), shown as (
    select product_id, position, price, case when sale_since is not null then regular end as regular_price,
      case when reference is not null and least(reference, usual) > coalesce(nullif(price, 0), product_price) then least(reference, usual) end as was_price
    from priced
  )
  update product_sizes s set (price, regular_price, was_price) = (o.price, o.regular_price, o.was_price)
  from shown o
  where o.product_id = s.product_id and o.position = s.position
    and (s.price, s.regular_price, s.was_price) is distinct from (o.price, o.regular_price, o.was_price);
end $$;

-- A new product has no sizes yet. `regular_price` is what was typed.
create or replace function first_offer() returns trigger language plpgsql as $$
begin
  new.price := coalesce(new.regular_price, new.price);
  new.regular_price := null;
  new.from_price := new.price;
  new.stock_level := least(new.count_in_stock, 6);
  new.is_available := new.count_in_stock > 0;
  return new;
end $$;

create function products_were_made() returns trigger language plpgsql as $$
begin
  insert into price_log (product_id, price) select id, price from made;
  if exists (select from made where sale_price is not null) then
    perform refresh_prices(array(select id from made where sale_price is not null));
  end if;
  return null;
end $$;
create trigger products_made after insert on products referencing new table as made for each statement execute function products_were_made();

create function sale_changed() returns trigger language plpgsql as $$
begin
  perform refresh_prices(array[new.id]);
  return null;
end $$;
create trigger products_sale_changed after update of regular_price, sale_price, sale_from, sale_to on products for each row
  when ((old.regular_price, old.sale_price, old.sale_from, old.sale_to) is distinct from (new.regular_price, new.sale_price, new.sale_from, new.sale_to)
    and (old.sale_since is null) = (new.sale_since is null))
  execute function sale_changed();

create function price_changed() returns trigger language plpgsql as $$
begin
  perform log_prices(array[new.id]);
  return null;
end $$;
create trigger products_price_changed after update of price on products for each row when (old.price <> new.price) execute function price_changed();

create function size_price_changed() returns trigger language plpgsql as $$
begin
  perform log_prices(array[new.product_id]);
  return null;
end $$;
create trigger product_sizes_price_changed after update of price on product_sizes for each row when (old.price <> new.price)
  execute function size_price_changed();

create or replace function sizes_came_or_went() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(select distinct product_id from changed);
begin
  if tg_op = 'INSERT' then
    perform refresh_prices(ids);
  end if;
  perform refresh_offers(ids);
  perform log_prices(ids);
  return null;
end $$;

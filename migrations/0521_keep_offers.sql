-- Keeps the offers (0520) of products.
create function offers_of(ids uuid[]) returns table (id uuid, from_price integer, stock_level smallint) language sql stable as $$
  select p.id, coalesce(min(coalesce(nullif(s.price, 0), p.price)), p.price), least(p.count_in_stock, sum(s.quantity), 6)::smallint
  from products p left join product_sizes s on s.product_id = p.id where p.id = any(ids) group by p.id
$$;

create function refresh_offers(ids uuid[]) returns void language sql as $$
  update products p set from_price = o.from_price, stock_level = o.stock_level, is_available = o.stock_level > 0
  from offers_of(ids) as o
  where p.id = o.id and (p.from_price, p.stock_level) is distinct from (o.from_price, o.stock_level)
$$;

-- A new product has no sizes yet. Only at an insert may the trigger run before: before an update it would make PostgreSQL compute all generated
-- columns again (0180).
create function first_offer() returns trigger language plpgsql as $$
begin
  new.from_price := new.price;
  new.stock_level := least(new.count_in_stock, 6);
  new.is_available := new.count_in_stock > 0;
  return new;
end $$;
create trigger products_first_offer before insert on products for each row execute function first_offer();

create function offer_changed() returns trigger language plpgsql as $$
begin
  perform refresh_offers(array[new.id]);
  return null;
end $$;
create trigger products_offer_changed after update of price, count_in_stock on products for each row
  when (old.price <> new.price or least(old.count_in_stock, 6) <> least(new.count_in_stock, 6)) execute function offer_changed();

create function size_offer_changed() returns trigger language plpgsql as $$
begin
  perform refresh_offers(array[old.product_id, new.product_id]);
  return null;
end $$;
create trigger product_sizes_offer_changed after update on product_sizes for each row
  when (old.price <> new.price or least(old.quantity, 6) <> least(new.quantity, 6) or old.product_id <> new.product_id)
  execute function size_offer_changed();

create function sizes_came_or_went() returns trigger language plpgsql as $$
begin
  perform refresh_offers(array(select distinct product_id from changed));
  return null;
end $$;
create trigger product_sizes_added after insert on product_sizes referencing new table as changed
  for each statement execute function sizes_came_or_went();
create trigger product_sizes_removed after delete on product_sizes referencing old table as changed
  for each statement execute function sizes_came_or_went();

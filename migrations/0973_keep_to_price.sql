-- Keeps the highest price (0972) with the rest of an offer (0521, 0711).
create or replace function refresh_offers(ids uuid[]) returns void language sql as $$
  update products p set from_price = o.from_price, to_price = o.to_price, stock_level = o.stock_level, is_available = o.stock_level > 0
  from (
    select offers.*, coalesce((select max(coalesce(nullif(s.price, 0), q.price)) from product_sizes s where s.product_id = q.id), q.price) as to_price
    from offers_of(ids) as offers join products q using (id)
  ) as o
  where p.id = o.id and (p.from_price, p.to_price, p.stock_level) is distinct from (o.from_price, o.to_price, o.stock_level)
$$;

create or replace function first_offer() returns trigger language plpgsql as $$
begin
  new.price := coalesce(new.regular_price, new.price);
  new.regular_price := null;
  new.from_price := new.price;
  new.to_price := new.price;
  new.stock_level := least(new.count_in_stock, 6);
  new.is_available := new.count_in_stock > 0;
  return new;
end $$;

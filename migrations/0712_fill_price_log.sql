-- What can be paid for the products that are there. Each change of a product writes `updated_at`, so its price holds at least since then.
insert into price_log (product_id, size, at, price)
  select p.id, coalesce(s.size, ''), p.updated_at, coalesce(nullif(s.price, 0), p.price)
  from products p left join product_sizes s on s.product_id = p.id
  on conflict (product_id, size, at) do nothing;

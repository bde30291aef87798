-- Every price is at least 1 penny. A product without one was sold at its sizes' prices, so the lowest of them becomes its own.
with repriced as (
  update products set price = lowest.price, version = version + 1
  from (select product_id, min(price) as price from product_sizes where price > 0 group by product_id) lowest
  where products.id = lowest.product_id and products.price = 0
  returning id
), noted as (
  insert into audit_entries (actor_name, entity, entity_id, change)
  select 'The upgrade', 'product', id, 'Changed: price, from 0 to the lowest price of its sizes' from repriced
), told as (
  insert into catalogue_changes (moves_lists) select true from repriced limit 1 returning 1
)
select pg_notify('catalogue', '') from told;

-- Nobody can guess the price of the others. A check constraint would also refuse each move of their stock, such as a hold that is
-- given back; this trigger refuses only what writes a price, so they stay as they are until someone gives them one.
create function refuse_free_product() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'products_price_at_least_one',
    message = 'the price of a product is at least 1 penny';
end $$;
create trigger products_price_at_least_one before insert or update of price on products
  for each row when (new.price < 1) execute function refuse_free_product();

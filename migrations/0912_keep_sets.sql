-- Keeps the stock of sets (0910).

-- The parts of a set, as `partsOf` reads them (src/contract/catalogue/set-parts.ts). One that cannot be read has no product.
create function parts_of(parts text) returns table (place bigint, part_id uuid, size text, colour text, qty integer)
language sql immutable parallel safe as $$
  select place, (part_ids(one))[1], nullif(trim(split_part(one, '|', 2)), ''), nullif(trim(split_part(one, '|', 3)), ''),
    coalesce((regexp_match(one, '^\s*([1-9][0-9]?)\s*[x×]'))[1]::int, 1)
  from regexp_split_to_table(parts, '[;\n]') with ordinality as each (one, place) where trim(one) <> ''
$$;

-- The sets that have one of some products as a part. In PL/pgSQL, which keeps its plan; so are the next ones, which each order calls.
create function sets_of(ids uuid[]) returns uuid[] language plpgsql stable as $$
begin
  return array(select id from products where set_parts <> '' and part_ids(set_parts) && ids);
end $$;

-- Some products, and the parts of those that are sets.
create function with_parts(ids uuid[]) returns uuid[] language plpgsql stable as $$
begin
  return ids || array(select unnest(part_ids(set_parts)) from products where id = any(ids) and set_parts <> '');
end $$;

-- The same and the sets with any of these: all that a change of their stock touches. Whatever locks several products locks these, by `set_parts <> '', id`:
-- parts before sets, and each in key order.
create function with_sets(ids uuid[]) returns uuid[] language plpgsql stable as $$
declare
  own uuid[] := with_parts(ids);
begin
  return own || sets_of(own);
end $$;

-- How many of a set its parts make: none if a part is gone, hidden, a set itself, or not sold in that size.
create function sets_in_stock(parts text) returns integer language sql stable as $$
  with need as (select * from parts_of(parts)),
  most as (
    select case when p.deleted_at is null and p.set_parts = '' then p.count_in_stock / n.qty else 0 end as sets
    from (select part_id, sum(qty) as qty from need group by part_id) n left join products p on p.id = n.part_id
    union all
    select s.quantity / n.qty
    from (select part_id, size, sum(qty) as qty from need group by part_id, size) n
      left join product_sizes s on s.product_id = n.part_id and s.size = n.size
    where n.size is not null or exists (select from product_sizes o where o.product_id = n.part_id)
  )
  select coalesce(min(coalesce(sets, 0)), 0)::int from most
$$;

-- Keeps the stock of those of some products that are sets, and of the sets with any of them.
create function refresh_sets(ids uuid[]) returns void language plpgsql as $$
declare
  sets uuid[];
begin
  sets := sets_of(ids) || array(select id from products where id = any(ids) and set_parts <> '');
  if cardinality(sets) = 0 then return; end if;
  perform from products where id = any(sets) order by id for update;
  -- A statement of its own: one that waited for the locks would still see the stock from before.
  with counted as (
    select id, count_in_stock as before, sets_in_stock(set_parts) as now from products where id = any(sets)
  ), moved as (
    update products p set count_in_stock = c.now from counted c where p.id = c.id and c.now <> c.before
    returning p.id, c.now = 0 or c.before = 0 as crossed
  )
  insert into catalogue_changes (products, moves_lists) select array_agg(id), bool_or(crossed) from moved having count(*) > 0;
  if found then perform pg_notify('catalogue', ''); end if;
end $$;

create function set_came() returns trigger language plpgsql as $$
begin
  perform refresh_sets(array[new.id]);
  return null;
end $$;
create trigger products_set_came after insert on products for each row when (new.set_parts <> '' and not in_batch()) execute function set_came();
create trigger products_set_changed after update of count_in_stock, deleted_at, set_parts on products for each row
  when ((old.count_in_stock, old.deleted_at is null, old.set_parts) is distinct from (new.count_in_stock, new.deleted_at is null, new.set_parts)
    and not in_batch()) execute function set_came();

create function part_went() returns trigger language plpgsql as $$
begin
  perform refresh_sets(array[old.id]);
  return null;
end $$;
create trigger products_part_went after delete on products for each row execute function part_went();

create function part_size_changed() returns trigger language plpgsql as $$
begin
  perform refresh_sets(array[new.product_id]);
  return null;
end $$;
create trigger product_sizes_part_changed after update of quantity, size on product_sizes for each row
  when ((old.quantity, old.size) is distinct from (new.quantity, new.size) and not in_batch()) execute function part_size_changed();

create function part_sizes_came_or_went() returns trigger language plpgsql as $$
begin
  perform refresh_sets(array(select distinct product_id from changed));
  return null;
end $$;
create trigger product_sizes_part_added after insert on product_sizes referencing new table as changed
  for each statement when (not in_batch()) execute function part_sizes_came_or_went();
create trigger product_sizes_part_removed after delete on product_sizes referencing old table as changed
  for each statement when (not in_batch()) execute function part_sizes_came_or_went();

create or replace function finish_batch(ids uuid[]) returns void language plpgsql as $$
begin
  perform refresh_prices(ids);
  perform refresh_offers(ids);
  perform log_prices(ids);
  perform set_config('shop.batch', '', true);
  perform refresh_sets(ids);
end $$;

-- The ledger of stock has the movements of the parts, and none of a set, which has no pieces of its own.
create or replace function product_stock_moved() returns trigger language plpgsql as $$
declare
  had integer := case when old.set_parts = '' then old.count_in_stock else 0 end;
  has integer := case when new.set_parts = '' then new.count_in_stock else 0 end;
begin
  if had <> has then perform record_stock(new.id, null, has - had, has); end if;
  return null;
end $$;
create or replace trigger products_stock_moved after update of count_in_stock, set_parts on products for each row
  when ((old.count_in_stock, old.set_parts = '') is distinct from (new.count_in_stock, new.set_parts = '')) execute function product_stock_moved();
create or replace function product_stock_came() returns trigger language plpgsql as $$
begin
  perform record_stock(id, null, count_in_stock, count_in_stock) from came where count_in_stock <> 0 and set_parts = '';
  return null;
end $$;

-- What shows a set shows its parts: whoever hears of a part hears of its sets.
create function name_sets() returns trigger language plpgsql as $$
begin
  if new.products is not null then new.products := new.products || sets_of(new.products); end if;
  if new.edited is not null then new.edited := new.edited || sets_of(new.edited); end if;
  return new;
end $$;
create trigger catalogue_changes_name_sets before insert on catalogue_changes for each row
  when (new.products is not null or new.edited is not null) execute function name_sets();

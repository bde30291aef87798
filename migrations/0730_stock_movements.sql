-- The ledger of stock: every movement of a product's stored count (`size` is null) and of the pieces of its sizes, whatever statement moves them.
-- Triggers write it, so that no code can forget it, nor the version that runs beside this one. What a product had before its first movement is that
-- row's `balance - change`. Nothing is ever changed.
create table stock_movements (
  id bigint generated always as identity,
  product_id uuid not null references products on delete cascade,
  size text,
  change integer not null,
  -- What there was after it.
  balance integer not null,
  reason text not null,
  -- Empty for what the shop does by itself, such as the order of a customer.
  actor text not null,
  note text not null,
  order_id uuid,
  -- The time of the transaction, so that the rows of one movement share it.
  at timestamptz not null default now(),
  primary key (product_id, id)
);

create trigger stock_movements_append_only before update on stock_movements for each row execute function refuse_change();
create trigger stock_movements_not_emptied before truncate on stock_movements for each statement execute function refuse_change();

-- Records a movement with the transaction's cause, as set in `shop.stock_cause` (src/server/context/stock-cause.ts). In PL/pgSQL, which keeps its plan.
create function record_stock(of_product uuid, of_size text, moved integer, now_left integer) returns void language plpgsql as $$
declare
  cause jsonb := coalesce(nullif(current_setting('shop.stock_cause', true), ''), '{}');
begin
  insert into stock_movements (product_id, size, change, balance, reason, actor, note, order_id)
  values (of_product, of_size, moved, now_left, coalesce(cause ->> 'reason', 'other'), coalesce(cause ->> 'actor', ''), coalesce(cause ->> 'note', ''),
    (cause ->> 'order')::uuid);
end $$;

create function product_stock_moved() returns trigger language plpgsql as $$
begin
  perform record_stock(new.id, null, new.count_in_stock - old.count_in_stock, new.count_in_stock);
  return null;
end $$;
create trigger products_stock_moved after update of count_in_stock on products for each row
  when (old.count_in_stock <> new.count_in_stock) execute function product_stock_moved();

create function size_stock_moved() returns trigger language plpgsql as $$
begin
  if old.size <> new.size then
    perform record_stock(old.product_id, old.size, -old.quantity, 0), record_stock(new.product_id, new.size, new.quantity, new.quantity);
  else
    perform record_stock(new.product_id, new.size, new.quantity - old.quantity, new.quantity);
  end if;
  return null;
end $$;
create trigger product_sizes_stock_moved after update of quantity, size on product_sizes for each row
  when (old.quantity <> new.quantity or old.size <> new.size) execute function size_stock_moved();

-- New products and sizes come many at a time (import, demo), so these work by statement.
create function product_stock_came() returns trigger language plpgsql as $$
begin
  perform record_stock(id, null, count_in_stock, count_in_stock) from came where count_in_stock <> 0;
  return null;
end $$;
create trigger products_stock_came after insert on products referencing new table as came for each statement execute function product_stock_came();

create function size_stock_came() returns trigger language plpgsql as $$
begin
  perform record_stock(product_id, size, quantity, quantity) from came where quantity <> 0;
  return null;
end $$;
create trigger product_sizes_stock_came after insert on product_sizes referencing new table as came for each statement execute function size_stock_came();

create function size_stock_went() returns trigger language plpgsql as $$
begin
  -- The sizes of a product that is itself removed (only a test removes one) have no ledger any more.
  perform record_stock(product_id, size, -quantity, 0) from gone where quantity <> 0 and exists (select from products where id = product_id);
  return null;
end $$;
create trigger product_sizes_stock_went after delete on product_sizes referencing old table as gone for each statement execute function size_stock_went();

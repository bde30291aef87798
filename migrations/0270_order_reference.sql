-- A short name of an order for people: eight letters and digits that are not mistaken for each other, in two groups. The default makes it for
-- orders of every version of the shop.
create function new_order_reference() returns text language plpgsql volatile as $$
declare
  symbols constant text := 'ACDEFGHJKMNPQRTWXY34679';
  made text;
  bytes bytea;
begin
  loop
    bytes := uuid_send(gen_random_uuid());
    -- Bytes 6 and 8 of a random UUID hold its version.
    select string_agg(substr(symbols, 1 + get_byte(bytes, place) % length(symbols), 1), '' order by place) into made
      from unnest(array[0, 1, 2, 3, 10, 11, 12, 13]) as place;
    made := substr(made, 1, 4) || '-' || substr(made, 5);
    exit when not exists (select from orders where reference = made);
  end loop;
  return made;
end
$$;

alter table orders add column reference text;
create unique index orders_reference on orders (reference);
-- One at a time: each sees the references before it.
do $$
declare
  one uuid;
begin
  for one in select id from orders loop
    update orders set reference = new_order_reference() where id = one;
  end loop;
end
$$;
alter table orders alter column reference set default new_order_reference(), alter column reference set not null;

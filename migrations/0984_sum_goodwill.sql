-- Keeps `orders.goodwill_price`, also for refunds that an earlier version writes.
create function sum_goodwill() returns trigger language plpgsql as $$
begin
  update orders set goodwill_price = (select coalesce(sum(goodwill), 0) from order_refunds where order_id = new.order_id and status <> 'failed')
  where id = new.order_id;
  return null;
end
$$;
create trigger order_refunds_goodwill_added after insert on order_refunds for each row when (new.goodwill > 0) execute function sum_goodwill();
create trigger order_refunds_goodwill_changed after update of goodwill, status on order_refunds for each row
  when (old.goodwill > 0 or new.goodwill > 0) execute function sum_goodwill();

-- The sum that an order owes its customer now, in pence. src/contract/market/owed.ts has the same formula.
create function owed_price(total integer, waived integer, refunded integer, goodwill integer, disputed integer, entitled integer)
returns integer language sql immutable as $$
  select greatest(0, least(entitled - greatest(0, refunded - goodwill), total - waived - refunded) - disputed)
$$;

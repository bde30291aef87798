create function sum_disputes() returns trigger language plpgsql as $$
begin
  update orders set disputed_price = (select coalesce(sum(amount), 0) from order_disputes where order_id = new.order_id and status in ('open', 'lost'))
  where id = new.order_id;
  return null;
end
$$;
create trigger order_disputes_sum after insert or update on order_disputes for each row execute function sum_disputes();

update orders set disputed_price = disputes.sum
from (select order_id, sum(amount) as sum from order_disputes where status in ('open', 'lost') group by order_id) as disputes
where orders.id = disputes.order_id;

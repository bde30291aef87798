-- A refund counts for what the customer is entitled to until it fails. Earlier versions do not store that, so it is stored before any version lets one fail. The refunds
-- are added up, as `orders.refunded_price` may have been lowered before.
create function store_entitled() returns trigger language plpgsql as $$
begin
  update orders set entitled_price = greatest(entitled_price, least(total_price - waived_price,
    (select sum(amount - goodwill) from order_refunds where order_id = new.order_id and status <> 'failed')))
  where id = new.order_id and order_state <> 'refunded';
  return new;
end
$$;
create trigger order_refunds_entitled before update of status on order_refunds for each row
  when (new.status = 'failed' and old.status <> 'failed') execute function store_entitled();

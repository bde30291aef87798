-- `for_rates` is now all that a refund is credited for, goodwill too, and stays once it is credited. What earlier versions stored without its goodwill is divided again.
update order_refunds set for_rates = null
where status <> 'done' and for_rates is not null and amount > (select coalesce(sum((one ->> 'price')::int), 0) from jsonb_array_elements(for_rates) one);

-- A refund that failed after it was done (`done_at`) stays credited. Earlier versions took that off the credit notes of later refunds: as far as these came to less
-- than has gone back, the failed ones are credited when they are paid, also those that are tried again now.
update order_refunds refund set done_at = null
from (select order_id, sum(gross) filter (where kind = 'invoice') as invoiced, coalesce(sum(gross) filter (where kind = 'credit_note'), 0) as credited
  from invoices group by order_id) documents join orders on orders.id = documents.order_id
where refund.order_id = orders.id and refund.status <> 'done' and done_at is not null
  and credited < waived_price + lost_price - (total_price - invoiced)
    + (select sum(amount) from order_refunds made where made.order_id = orders.id and made.done_at is not null);

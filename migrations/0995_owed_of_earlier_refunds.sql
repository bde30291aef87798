-- Puts right what 0985 stored for orders of which a refund had failed before, unless money has moved since. 0985 went by the reasons of refunds, but “Returned” may be
-- for pieces that stay, and an amount of any reason, or made at the provider, may have paid again what had failed.
with known as (
  select order_id, coalesce((select min(at) from order_events where order_events.order_id = failed.order_id and kind = 'refund failed' and at >= made), 'infinity')
      as failed_at
  from (select timestamp::timestamptz as time from kysely_migration where name = '0985_entitled_so_far') upgraded,
    lateral (select order_id, min(created_at) as made from order_refunds where status = 'failed' and created_at < time group by order_id) failed
  where not exists (select from order_events where order_events.order_id = failed.order_id and at >= time and (kind like 'refund%' or kind like 'dispute%'
    or kind in ('payment disputed', 'cancelled', 'partly cancelled', 'return received', 'corrected', 'written off')))
), refunds as (
  -- A refund is for what left if that was in its transaction. An amount without pieces since the first failure pays again what had failed.
  select id, known.order_id, created_at, amount, reason, status = 'failed' as has_failed, is_own, not is_own and detail = '' and created_at >= failed_at as is_again
  from known join order_refunds refund on refund.order_id = known.order_id, lateral (select is_announced or reason in ('Cancelled', 'Order corrected')
    or exists (select from order_events where order_events.order_id = known.order_id and at = created_at and kind = 'return received')
    or exists (select from order_items join stock_movements movement using (product_id) where order_items.order_id = known.order_id
      and movement.order_id = known.order_id and at = created_at and movement.reason = 'returned') as is_own) made
), sums as (
  select order_id, coalesce(sum(amount) filter (where is_own and not has_failed), 0)::int as given,
    coalesce(sum(amount) filter (where is_own and has_failed), 0)::int as failed,
    coalesce(sum(amount) filter (where not is_own and not is_again and has_failed), 0)::int as others,
    coalesce(sum(amount) filter (where not is_own and has_failed and reason in ('Returned', 'Made at the payment provider')), 0)::int as mistaken,
    coalesce(sum(amount) filter (where is_again and not has_failed), 0)::int as again
  from refunds group by order_id
), paid as (
  select sums.*, greatest(0, failed - again) as open, order_state in ('cancelled', 'returned') as has_ended, due_back, refunded_price as refunded,
    total_price - waived_price - refunded_price as rest, kept_price as kept, lost_price as counted, entitled_price - refunded_price as stored,
    (select coalesce(sum(worth_of(price, qty, discount, cancelled_qty + returned_qty + spoiled_qty)), 0)::int from order_items where order_id = orders.id)
      - waived_price + delivery_off + written_off - write_off_counted as price,
    (select coalesce(sum(amount) filter (where status = 'lost'), 0)::int from order_disputes where order_id = orders.id) as lost,
    case when exists (select from order_disputes where order_id = orders.id)
      then entitled_price - refunded_price - again - case when entitled_price - refunded_price >= failed + mistaken + lost_price then mistaken else 0 end
      else 0 end as waited
  from sums join orders on orders.id = sums.order_id where paid_at is not null and order_state <> 'refunded'
), claims as (
  -- What waited for a dispute is only in what 0985 stored, together with the mistaken ones unless the price of what left had no room for them.
  select *, case when due_back is not null then stored
    when has_ended then greatest(0, least(rest - kept, greatest(open, waited)))
    else greatest(counted, least(rest, price - given - least(again, failed) - kept, greatest(open + counted, waited)))
    end as claim
  from paid
), mended as (
  update orders set entitled_price = refunded + claim, lost_price = case when has_ended then lost_price else least(lost, claim) end
  from claims where orders.id = claims.order_id and claim <> stored
), goodwill as (
  -- The other failed refunds are goodwill. The oldest ones were paid again first.
  select id, order_id, part, sum(part) over (partition by order_id) as whole, sum(part) over (partition by order_id order by created_at desc, id desc) - part as newer
  from refunds join claims using (order_id), lateral (
    select case when is_own then 0 when is_again then greatest(0, amount - failed - others) else amount end as part) own
  where has_failed
)
update order_refunds set goodwill = greatest(0, least(part, owed - newer))
from goodwill join claims using (order_id), lateral (select greatest(0, whole - greatest(0, again - failed)) as unpaid) left_over,
  -- What a cancelled order has to give back includes goodwill that failed before.
  lateral (select case when due_back is null then unpaid else greatest(0, least(unpaid, open + unpaid - claim)) end as owed) own
where order_refunds.id = goodwill.id and order_refunds.goodwill <> greatest(0, least(part, owed - newer));

-- A payment that became no order is a payment that was not kept, with its refunds, its disputes and what is owed of it (decision 171). One that was not what the
-- order costs has its amount in the history.
insert into second_payments (payment_id, order_id, paid_at, amount)
select provider_payment_id, orders.id, coalesce(paid_at, created_at), coalesce(paid.amount, total_price) from orders left join lateral (
  select substring(detail from '^Paid ([0-9]+) ')::int as amount from order_events
  where order_id = orders.id and detail like 'Paid % which is not what the order costs%' limit 1) paid on true
where order_state = 'refunded' and provider_payment_id is not null and coalesce(paid.amount, total_price) > 0
on conflict do nothing;

insert into second_payment_outcomes (id, payment_id, kind, amount, status)
select provider_refund_id, second_payments.payment_id, 'refund', refund.amount, case when is_by_hand then 'failed' else refund.status end
from order_refunds refund join orders on orders.id = refund.order_id
join second_payments on second_payments.payment_id = provider_payment_id
where order_state = 'refunded' and provider_refund_id is not null
on conflict do nothing;

insert into second_payment_outcomes (id, payment_id, kind, amount, status)
select dispute.id, payment_id, 'dispute', dispute.amount, dispute.status
from order_disputes dispute join orders on orders.id = dispute.order_id join second_payments on second_payments.payment_id = provider_payment_id
where order_state = 'refunded'
on conflict do nothing;

-- A stored refund has failed before, so the job no longer makes it.
insert into payment_events (id, kind)
select distinct 'not refunded ' || provider_payment_id, 'not refunded'
from order_refunds join orders on orders.id = order_id where order_state = 'refunded' and provider_payment_id is not null
on conflict do nothing;

insert into overpayments (id, order_id, received_at, amount, received_by, actor, status, paid_back_by, ended_at, payment_id)
select refund.id, refund.order_id, refund.created_at, refund.amount, 'transfer', refund.actor, 'paid_back', coalesce(refund.paid_back_by, 'transfer'),
  coalesce(done_at, refund.created_at), provider_payment_id
from order_refunds refund join orders on orders.id = refund.order_id
where order_state = 'refunded' and provider_payment_id is not null and is_by_hand and refund.status = 'done' and refund.amount > 0;

-- The provider may have made a refund that has no answer yet.
insert into overpayments (id, order_id, received_at, amount, received_by, actor, payment_id, tried_at)
select gen_random_uuid(), orders.id, payment.paid_at, payment.amount - outcomes.gone - paid_back.amount, 'transfer', 'Payment provider', payment_id,
  case when exists (select from order_refunds where order_id = orders.id and status = 'pending' and provider_refund_id is null) then now() end
from second_payments payment join orders on provider_payment_id = payment_id,
  lateral (select coalesce(sum(amount) filter (where status in ('pending', 'done', 'open', 'lost')), 0)::int as gone
    from second_payment_outcomes outcome where outcome.payment_id = payment.payment_id) outcomes,
  lateral (select coalesce(sum(amount), 0)::int as amount from overpayments more
    where more.payment_id = payment.payment_id and status = 'paid_back') paid_back
where order_state = 'refunded' and payment.amount > outcomes.gone + paid_back.amount
  and exists (select from order_refunds where order_id = orders.id);

delete from order_refunds using orders where orders.id = order_id and order_state = 'refunded';
delete from order_disputes using orders where orders.id = order_id and order_state = 'refunded';
update orders set disputed_price = 0, goodwill_price = 0 where order_state = 'refunded' and (disputed_price > 0 or goodwill_price > 0);

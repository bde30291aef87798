-- What the customer is to have back in all for what left a paid order, in pence, whoever pays it: pieces that were cancelled or came back, delivery with the last
-- of them, what a correction took off. It replaces what was inferred: `order_items.partial_refund` of pieces that left, and `orders.due_back`, which is still
-- written for the revenue of cancelled orders. The index `order_items_unsettled` goes in the next release: the version before still uses it.
alter table orders add column entitled_price integer not null default 0;

-- The part of a refund that is for nothing that left the order; of a failed one, the part that is still to be given.
alter table order_refunds add column goodwill integer not null default 0;
-- Goodwill of refunds that have not failed, kept by the database.
alter table orders add column goodwill_price integer not null default 0;

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

-- What of an order is to be refunded now, in pence: src/contract/market/owed.ts has the same formula.
create function owed_price(total integer, waived integer, refunded integer, goodwill integer, disputed integer, entitled integer)
returns integer language sql immutable as $$
  select greatest(0, least(entitled - greatest(0, refunded - goodwill), total - waived - refunded) - disputed)
$$;

-- A refund that brings nothing, since a bank has the money, keeps the key of its request.
alter table order_refunds drop constraint order_refunds_amount_check;
alter table order_refunds add constraint order_refunds_amount_check check (amount >= 0) not valid;

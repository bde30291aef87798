-- A larger first order of an account waits for an administrator's word: nothing of it may leave before.
alter table orders add column awaits_approval boolean not null default false;
alter table orders add constraint orders_approved_before_leaving check (not awaits_approval
  or (status in ('awaiting_payment', 'expired', 'placed', 'cancelled', 'refunded') and dispatched_at is null and delivered_at is null));

-- Where an order goes, whoever orders and however it is typed: street, number and postal code without signs, spaces and case. A flat or a name in the
-- second line does not make another address.
create function address_key(line1 text, postal_code text) returns text language sql immutable as $$
  select lower(regexp_replace(line1 || postal_code, '[^[:alnum:]]', '', 'g'))
$$;
create index orders_open_cash_at on orders (address_key(line1, postal_code))
  where status in ('placed', 'packing', 'dispatched', 'delivery_failed') and paid_at is null and delivered_at is null
    and payment_method <> 'Credit Card';

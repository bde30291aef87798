-- What happens to orders is kept by the month of the order (0492). The key of an order begins with the milliseconds of its making, so that a month
-- is a range of keys. Here: what tells months by keys, and the bound below which all events so far lie, so that 0492 need not look at each.

-- The lowest key of orders made from this moment on.
create function first_key(at timestamptz) returns uuid language sql immutable strict parallel safe return (
  rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
);
-- The moment that a key begins with.
create function key_time(key uuid) returns timestamptz language sql immutable strict parallel safe return (
  to_timestamp(('x' || lpad(left(replace(key::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
);

-- The bound is at least a week ahead, so that it does not pass before 0492 has come. Where orders have keys from elsewhere that lie above it, or
-- where there are none at all, nothing can or need be known beforehand.
do $$
declare
  bound uuid := first_key((date_trunc('month', now() at time zone 'utc' + interval '7 days') + interval '1 month') at time zone 'utc');
  is_known boolean := exists (select from order_events) and not exists (select from order_events where order_id >= bound);
begin
  execute format('alter table order_events add constraint order_events_oldest_keys check (%s) not valid',
    case when is_known then format('order_id < %L', bound) else 'order_id is not null' end);
end $$;

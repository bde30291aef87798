-- no transaction
-- The key that events have within their months; it takes the place of the index by order as well.
drop index concurrently if exists order_events_oldest_pkey;
create unique index concurrently order_events_oldest_pkey on order_events (order_id, id);
alter table order_events validate constraint order_events_oldest_keys;

-- Who was erased before the erasure knew these: the name at a note for the driver, and answers to returns.
select set_config('shop.erasing', 'on', true);
update order_events set actor = 'Erased customer' from orders
where orders.id = order_id and user_name = 'Erased customer' and kind = 'note for the driver';
update order_events set detail = '' from orders
where orders.id = order_id and user_name = 'Erased customer' and kind in ('note for the driver', 'return agreed', 'return refused');

-- A tag may name somebody, and the log of an order is not erased.
update audit_entries set change = case when change like 'Added%' then 'Added a tag' else 'Removed a tag' end
where entity = 'order' and (change like 'Added the tag “%' or change like 'Took the tag “%');

-- Days with returns from before their price was summed are counted again by the job.
insert into sales_recounts
select distinct shop_day(orders.created_at) from order_returns join orders on orders.id = order_returns.order_id where order_returns.status = 'received'
on conflict do nothing;

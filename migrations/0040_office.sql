-- Whatever the back office filters and sorts orders by stands in the index, so that a page deep in the list reads no row it does not show.
drop index orders_listed;
create index orders_listed on orders (created_at desc, id desc) include (status, paid_at, delivered_at) where status in ('placed', 'refunded');
drop index orders_by_total;
create index orders_by_total on orders (total_price desc, id desc) include (status, paid_at, delivered_at, created_at)
  where status in ('placed', 'refunded');

-- Sales per day, without reading the orders themselves.
create index orders_sold on orders (created_at) include (id, total_price) where status = 'placed';
-- Pieces sold, without reading the lines' texts.
create index order_items_sold on order_items (order_id) include (product_id, qty, price);

create index products_stock on products (count_in_stock, id) where deleted_at is null;

-- Whatever the back office filters and sorts orders by stands in the index, so that a page deep in the list reads no row it does not show.
drop index orders_listed;
create index orders_listed on orders (created_at desc, id desc) include (status, paid_at, delivered_at) where status in ('placed', 'refunded');
drop index orders_by_total;
create index orders_by_total on orders (total_price desc, id desc) include (status, paid_at, delivered_at, created_at)
  where status in ('placed', 'refunded');

-- How many there are: indexes so small that counting in them is quick.
create index orders_states on orders (status) where status in ('placed', 'refunded');
create index orders_paid on orders (status) include (delivered_at) where status in ('placed', 'refunded') and paid_at is not null;
create index orders_delivered on orders (status) include (paid_at) where status in ('placed', 'refunded') and delivered_at is not null;
create index users_roles on users (is_admin);

-- Sales per day, without reading the orders themselves.
create index orders_sold on orders (created_at) include (id, total_price) where status = 'placed';

create index products_stock on products (count_in_stock, id) where deleted_at is null;

-- no transaction
-- What each order wrote without need.
-- An index of the count itself made every sale write a new entry into all indexes of `products`. `scarcity` (the count, at most 6) changes only for scarce
-- products, so other sales leave all indexes alone (heap-only tuples).
drop index concurrently if exists products_scarce;
create index concurrently products_scarce on products (scarcity) where low_stock is null;
drop index concurrently if exists products_by_count;
-- Indexes by the column `status`, of versions before 0570, with the same entries as those by `order_state`.
drop index concurrently if exists orders_awaiting;
drop index concurrently if exists orders_held;
drop index concurrently if exists orders_of_user;
drop index concurrently if exists orders_open_cash;
drop index concurrently if exists orders_unpaid_at;

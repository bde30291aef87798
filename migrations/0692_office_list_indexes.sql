-- no transaction
-- The sorts of the back office's list, which shows what is out of the shop too.
drop index concurrently if exists products_office_newest;
create index concurrently products_office_newest on products (created_at desc, id desc) where state <> 'deleted';
drop index concurrently if exists products_office_name;
create index concurrently products_office_name on products (name, id) where state <> 'deleted';
drop index concurrently if exists products_office_price;
create index concurrently products_office_price on products (from_price, id) where state <> 'deleted';
drop index concurrently if exists products_office_stock;
create index concurrently products_office_stock on products (stock_level, id) where state <> 'deleted';
drop index concurrently if exists products_out_of_shop;
create index concurrently products_out_of_shop on products (state, deleted_at) where deleted_at is not null;

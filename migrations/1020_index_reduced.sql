-- no transaction
-- For the filter “Reduced” of product lists.
drop index concurrently if exists products_reduced;
create index concurrently products_reduced on products (id) where sale_since is not null and deleted_at is null;

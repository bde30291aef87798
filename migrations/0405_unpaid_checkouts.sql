-- no transaction
-- Card checkouts that were never paid and still name their buyer: a daily job takes the buyer out of old ones.
drop index concurrently if exists orders_unpaid_named;
create index concurrently orders_unpaid_named on orders (created_at) where status = 'expired' and user_name <> 'Erased customer';

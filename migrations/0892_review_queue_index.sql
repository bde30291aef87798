-- no transaction
drop index concurrently if exists reviews_new;
create index concurrently reviews_new on reviews (created_at, id) where is_new;

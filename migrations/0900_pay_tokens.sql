-- no transaction
drop index concurrently if exists order_corrections_token;
create unique index concurrently order_corrections_token on order_corrections (token_hash) where token_hash is not null;

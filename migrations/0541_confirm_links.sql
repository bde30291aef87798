-- no transaction
drop index concurrently if exists users_confirm_hash;
create unique index concurrently users_confirm_hash on users (confirm_hash) where confirm_hash is not null;

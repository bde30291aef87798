-- Of the orders of a deleted account: whether it had confirmed `user_email`, which is then the address that it had confirmed last. Those of accounts that were
-- deleted before count as confirmed. While the account exists, its own row says it.
alter table orders add column is_user_email_confirmed boolean not null default true;

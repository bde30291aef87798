-- Whether somebody has shown that they read the account's address: by a code that was mailed there, or by a link. Those that are there count as confirmed.
-- Until a new address is confirmed, mails go to the one before; the link's token is kept as a hash.
alter table users
  add column is_email_confirmed boolean not null default true,
  add column confirmed_email text,
  add column confirm_hash bytea;

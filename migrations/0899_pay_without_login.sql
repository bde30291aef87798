-- The hash of the token in the link with which anybody may pay: its mail goes to the customer. Null for what was asked for before.
alter table order_corrections add column token_hash bytea;

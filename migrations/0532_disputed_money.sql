-- Pence of the payment that the customer's bank has taken back, or holds while a dispute is open. Kept by the database, whoever writes disputes.
alter table orders add column disputed_price integer not null default 0;

-- What was asked for with the request's key; and whether the customer has had a mail that says that the money is coming.
alter table order_refunds add column request_hash bytea, add column is_announced boolean not null default false;

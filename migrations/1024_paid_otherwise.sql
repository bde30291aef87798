-- What of a failed refund's own pieces another refund has paid, in pence: the failed one is no longer owed for that.
alter table order_refunds add column paid_otherwise integer not null default 0;

-- Counts what happens to an order, so that it is corrected only as it was looked at.
alter table orders add column revision integer not null default 0;

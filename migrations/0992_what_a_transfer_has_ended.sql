-- What drivers were to collect and the order's own receipt has ended, in pence: undoing the receipt brings it back. Null for receipts of earlier versions.
alter table orders add column collected integer;

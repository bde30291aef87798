-- no transaction
-- Few: what is owed of payments that were not kept.
drop index concurrently if exists overpayments_of_payment;
create index concurrently overpayments_of_payment on overpayments (payment_id) where payment_id is not null;

-- A bank's inquiry moves no money, but waits for the shop's answer.
alter table order_disputes drop constraint order_disputes_status_check;
alter table order_disputes
  add constraint order_disputes_status_check check (status in ('inquiry', 'open', 'won', 'lost', 'closed')) not valid;
-- The payment that the dispute is about; null for those from before, and refunds then go by what is left of each payment.
alter table order_disputes add column disputed_payment_id text;

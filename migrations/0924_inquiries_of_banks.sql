-- A bank's inquiry moves no money, but waits for the shop's answer.
alter table order_disputes drop constraint order_disputes_status_check;
alter table order_disputes
  add constraint order_disputes_status_check check (status in ('inquiry', 'open', 'won', 'lost', 'closed')) not valid;

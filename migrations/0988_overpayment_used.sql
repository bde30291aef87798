-- What came in besides what was due can pay for a change that makes the order dearer: then it is `used`, and a part of the order's price.
alter table overpayments drop constraint overpayments_status_check;
alter table overpayments add constraint overpayments_status_check check (status in ('owed', 'paid_back', 'undone', 'used')) not valid;

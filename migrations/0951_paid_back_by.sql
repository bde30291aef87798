-- How a refund by hand went back: `cash` or `transfer`. Null for refunds at the provider, and for those from before staff said it: of cash orders they came from the cash box.
alter table order_refunds add column paid_back_by text;

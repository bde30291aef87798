-- For which of the order's products, by their ids, the promotion was meant when the order used it: staff may move products to other categories afterwards. Null for uses from before: today's categories and brands apply.
alter table redemptions add column meant_for jsonb;

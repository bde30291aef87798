-- The total that the customer is to have back for what left a paid order, in pence, from the shop or from a bank: pieces that were cancelled or came back, delivery with the last
-- of them, what a correction took off. It replaces what was inferred: `order_items.partial_refund` of pieces that left, and `orders.due_back`, which is still
-- written for the revenue of cancelled orders. The index `order_items_unsettled` goes in the next release: the version before still uses it.
alter table orders add column entitled_price integer not null default 0;

-- The part of a refund that is for nothing that left the order; of a failed one, the part that is still to be given.
alter table order_refunds add column goodwill integer not null default 0;
-- Goodwill of refunds that have not failed, kept by the database.
alter table orders add column goodwill_price integer not null default 0;

-- A refund that brings nothing, since a bank has the money, keeps the key of its request.
alter table order_refunds drop constraint order_refunds_amount_check;
alter table order_refunds add constraint order_refunds_amount_check check (amount >= 0) not valid;

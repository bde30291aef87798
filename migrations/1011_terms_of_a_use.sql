-- What a promotion was when an order used it, beside its least subtotal: staff may use it for other goods afterwards. Null for uses from before: today's terms apply.
alter table redemptions add column kind text, add column value integer, add column goods jsonb;

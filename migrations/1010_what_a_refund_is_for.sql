-- What a refund is for of each invoice (`part`) at each VAT rate, fixed when it starts: its credit note has the VAT of its own pieces, whatever becomes of other
-- refunds. Null for those of earlier versions.
alter table order_refunds add column for_rates jsonb;

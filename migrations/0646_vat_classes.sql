-- A product's class of VAT: standard, reduced or zero.
alter table products add column vat_class text not null default 'standard';
-- The rate that counted when the line was ordered, in hundredths of a per cent; null where no VAT was charged, and in orders of earlier versions.
alter table order_items add column vat_rate int;
-- The sums of each rate of a document that has several, as [{ rate, net, vat, gross }]; its vat_rate is then the highest.
alter table invoices add column vat_rates jsonb;

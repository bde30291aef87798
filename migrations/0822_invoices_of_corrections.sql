-- no transaction
alter table orders validate constraint orders_delivery_off_check;
-- An order has an invoice, and another for what each correction added.
drop index concurrently if exists invoices_of_part;
create unique index concurrently invoices_of_part on invoices (order_id, part) where kind = 'invoice';
drop index concurrently if exists invoices_of_order;

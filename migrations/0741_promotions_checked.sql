-- no transaction
alter table order_items validate constraint order_items_discount_check;
alter table orders validate constraint orders_total_check;
alter table orders validate constraint orders_discount_check;
alter table orders validate constraint orders_knows_discount_check;
alter table audit_entries validate constraint audit_entries_entity_check;
alter table invoices validate constraint invoices_gross_check;

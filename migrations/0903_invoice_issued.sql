-- By a trigger, because the version before issues invoices, too.
create function invoice_issued() returns trigger language plpgsql as $$
begin
  update orders set awaits_invoice = false where id = new.order_id and awaits_invoice;
  return null;
end $$;
create trigger invoice_issued after insert on invoices for each row when (new.kind = 'invoice' and new.part = 0) execute function invoice_issued();

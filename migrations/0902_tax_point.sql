alter table orders
  -- Whether the invoice is still to come: once the order is paid, or the first of it leaves. Orders of earlier versions have theirs, if any.
  add column awaits_invoice boolean not null default false,
  -- The invoices and credit notes issued until then went with an email to the customer, or with none in earlier versions.
  add column documents_mailed_at timestamptz not null default now();
-- Pieces that were cancelled before the invoice, which leaves them out.
alter table order_items
  add column left_out_qty integer not null default 0,
  add constraint order_items_left_out_check check (left_out_qty >= 0 and left_out_qty <= cancelled_qty) not valid;

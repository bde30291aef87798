-- Invoices and credit notes. Their numbers come from a locked row instead of a sequence: a transaction that is rolled back gives its number
-- back, so that there are no gaps.
create table document_numbers (
  kind text primary key check (kind in ('invoice', 'credit_note')),
  last integer not null check (last > 0)
);

create table invoices (
  id uuid primary key,
  order_id uuid not null references orders,
  kind text not null check (kind in ('invoice', 'credit_note')),
  number integer not null check (number > 0),
  issued_at timestamptz not null default now(),
  -- The invoice that a credit note corrects.
  corrects uuid references invoices,
  -- In hundredths of a per cent; null where the company was not registered for VAT.
  vat_rate integer check (vat_rate between 0 and 10000),
  net integer not null,
  vat integer not null check (vat >= 0),
  gross integer not null check (gross > 0),
  -- Seller, buyer, order and lines, as they were when it was issued.
  content jsonb not null,
  unique (kind, number),
  constraint invoices_corrects_check check ((kind = 'credit_note') = (corrects is not null)),
  constraint invoices_sum_check check (net + vat = gross),
  constraint invoices_untaxed_check check (vat_rate is not null or vat = 0)
);

create index invoices_corrects on invoices (corrects) where corrects is not null;
create index invoices_issued on invoices (issued_at, id);
-- Each order has one invoice.
create unique index invoices_of_order on invoices (order_id) where kind = 'invoice';
create index invoices_order on invoices (order_id, issued_at, id);

-- What was issued is neither changed nor taken out; when the law no longer asks for the buyer's name, it is erased.
create trigger invoices_append_only before update on invoices for each row execute function refuse_change();
create trigger invoices_not_emptied before truncate on invoices for each statement execute function refuse_change();
create trigger invoices_stay before delete on invoices for each row execute function refuse_change();

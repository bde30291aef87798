-- The emails about an order as they were sent, for as long as KEEP_ORDER_MAILS_DAYS says.
create table order_mails (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders on delete cascade,
  -- The recipient, the subject, both parts and the ids of the pictures.
  mail jsonb not null,
  sent_at timestamptz not null default now()
);
create index order_mails_order on order_mails (order_id);
create index order_mails_sent on order_mails (sent_at);

-- The customer's words for the driver.
alter table orders add column delivery_note text not null default '';

-- What staff write down about an order or a customer, for each other.
create table staff_notes (
  id uuid primary key default gen_random_uuid(),
  order_id uuid references orders on delete cascade,
  user_id uuid references users on delete cascade,
  text text not null check (length(text) between 1 and 2000),
  actor text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(order_id, user_id) = 1)
);
create index staff_notes_order on staff_notes (order_id) where order_id is not null;
create index staff_notes_user on staff_notes (user_id) where user_id is not null;

-- Words by which staff find orders and customers.
create table staff_tags (
  id uuid primary key default gen_random_uuid(),
  order_id uuid references orders on delete cascade,
  user_id uuid references users on delete cascade,
  tag text not null check (length(tag) between 1 and 30),
  actor text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(order_id, user_id) = 1)
);
create unique index staff_tags_order on staff_tags (order_id, lower(tag)) where order_id is not null;
create unique index staff_tags_user on staff_tags (user_id, lower(tag)) where user_id is not null;
create index staff_tags_tag on staff_tags (lower(tag));

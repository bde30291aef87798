-- Links that show a wish list without its owner. `wishes` is what a visitor without an account shared; null shows the list of the account as it is today.
create table wish_links (
  token text primary key,
  user_id uuid references users on delete cascade,
  wishes jsonb check (jsonb_array_length(wishes) <= 100),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (user_id is not null or wishes is not null)
);
create index wish_links_user on wish_links (user_id);

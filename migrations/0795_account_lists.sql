-- The lists of an account: its wish list, and the lines of its cart (decision 134). Each is replaced as a whole and holds at most 100 entries.
create table account_lists (
  user_id uuid primary key references users on delete cascade,
  wishes jsonb not null default '[]' check (jsonb_array_length(wishes) <= 100),
  cart jsonb not null default '[]' check (jsonb_array_length(cart) <= 100),
  updated_at timestamptz not null default now()
);

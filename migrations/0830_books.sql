-- What moved the balance at the payment provider, as it says: charges, refunds, disputes, fees, payouts. Its entries never change.
create table provider_entries (
  id text primary key,
  kind text not null,
  -- Pence, signed as the balance moved, and the fee that was taken off besides.
  amount integer not null,
  fee integer not null,
  created_at timestamptz not null,
  source_id text not null,
  payment_id text
);
create index provider_entries_at on provider_entries (created_at, id);
create index provider_entries_payment on provider_entries (payment_id) where payment_id is not null;

-- The last check of the books, and from when to when the provider's entries are known.
create table book_check (
  only_row boolean default true primary key check (only_row),
  since timestamptz not null,
  until timestamptz not null,
  checked_at timestamptz not null
);

-- What did not agree at the last check.
create table book_faults (
  key text primary key,
  text text not null,
  advice text not null,
  path text not null,
  found_at timestamptz not null default now()
);

-- A day's sum that somebody found on the bank's statement, or in the cash box.
create table book_ticks (
  day date not null,
  kind text not null check (kind in ('payouts', 'cash')),
  amount bigint not null,
  actor text not null,
  ticked_at timestamptz not null default now(),
  primary key (day, kind)
);

-- The network from which an unpaid cash order of a new account came, as a hash. Kept for as long as the order is neither paid nor delivered.
create table order_networks (
  order_id uuid primary key references orders on delete cascade,
  network text not null
);
create index order_networks_network on order_networks (network);

-- Where an order goes, however it is typed: both lines and the postal code without signs, spaces and case.
create function place_key(line1 text, line2 text, postal_code text) returns text language sql immutable as $$
  select lower(regexp_replace(line1 || line2 || postal_code, '[^[:alnum:]]', '', 'g'))
$$;

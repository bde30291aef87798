-- A set is a product that is made of others: it has a price of its own, and the stock of its parts (decision 158). `set_parts` is text, as its form and the
-- CSV have it: `1 x 019a…; 4 x 019a… | Large | #b58a5a`. It is empty for any other product.
alter table products add column set_parts text not null default '';

-- The products that a set is made of. An index of `set_parts` is made by it, so it calls no function of ours.
create function part_ids(parts text) returns uuid[] language sql immutable strict parallel safe as $$
  select array(select m[1]::uuid from regexp_matches(parts, '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})', 'g') as m)
$$;

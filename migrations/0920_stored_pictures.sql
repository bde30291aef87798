-- The pictures and 3D models that this database has stored, by their ids. Only these are removed when nothing uses them any more: the same bucket may hold
-- those of another database, of which this one is a copy.
create table stored_pictures (
  id text primary key,
  stored_at timestamptz not null default now()
);
insert into stored_pictures (id)
select distinct substring(url from '[0-9a-f]{32}')
from (
  select unnest(images) as url from products
  union all
  select unnest(images) from reviews
  union all
  select model from products
  union all
  select model from product_sizes
) as named
where url ~ '[0-9a-f]{32}';

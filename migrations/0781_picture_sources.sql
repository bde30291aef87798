-- The web addresses from which a product's pictures were fetched, each with its picture; empty text while it is being fetched.
alter table products add column picture_sources jsonb not null default '{}';

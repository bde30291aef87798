-- The product that took the place of a deleted one: its address leads there. Without a foreign key, which each removal of the demo would check.
alter table products add column successor_id uuid;

-- The row asks for the whole sum of an order that staff have taken by phone, and changes nothing of it.
alter table order_corrections add column is_whole boolean not null default false;

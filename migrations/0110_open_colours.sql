-- A product with colours was ordered without one, as clarification 11 allows: the shop has to ask which. Kept on the line, since the
-- product's colours may change later.
alter table order_items add column is_colour_open boolean not null default false;

-- The address of a GLB that shows the product in 3D.
alter table products add column model text;

-- The 3D model of one size; without it, the size shows the product's.
alter table product_sizes add column model text;

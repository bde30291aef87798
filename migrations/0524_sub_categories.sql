-- no transaction
-- A piece of several kinds names them with commas ("Two-seat, Three-seat"), and is found under each, and under the whole text.
drop index concurrently if exists products_sub_categories;
create index concurrently products_sub_categories on products using gin (array_append(string_to_array(sub_category_key, ', '), sub_category_key)) where deleted_at is null;
drop index concurrently if exists products_sub_category;
analyze products;

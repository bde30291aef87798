-- no transaction
drop index concurrently if exists products_parts;
create index concurrently products_parts on products using gin (part_ids(set_parts)) where set_parts <> '';

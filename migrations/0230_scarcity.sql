-- A sale changes `count_in_stock`. While that was in an index every sale wrote all indexes of its product; without it the new row stays within
-- its page (HOT). What staff look for is what is scarce, which few sales change: all that is above the limit counts the same.
-- The limit is one more than LOW_STOCK of src/contract/catalogue.ts.
alter table products add column scarcity smallint not null generated always as (least(count_in_stock, 6)) stored;
drop index products_stock;
create index products_scarcity on products (scarcity, id) where deleted_at is null;

-- No plan has used these: the back office's list has no filter by category.
drop index products_category_newest, products_category_name;

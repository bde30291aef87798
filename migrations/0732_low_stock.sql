-- The number of pieces, of the product or of one of its sizes, at which the back office reports that it runs low; the shop's own level where it is null.
alter table products add column low_stock integer;

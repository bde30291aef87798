-- What a product is guaranteed for, in the owner's words; empty without a guarantee.
alter table products add column guarantee text not null default '';
